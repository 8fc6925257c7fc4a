"""A small S3 server with faults: a lie is a function that changes a response."""

import hashlib
import re
import threading
import urllib.parse
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from web import Quiet, WebServer

LIST_HEAD = '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'


@dataclass
class Thing:
    """An object: its bytes, and the headers that describe it."""

    data: bytes
    headers: dict = field(default_factory=dict)

    @property
    def etag(self):
        return f'"{hashlib.md5(self.data).hexdigest()}"'  # noqa: S324, as S3 has it


@dataclass
class Answer:
    """A response. `raw` replaces all of it; None as `data` closes the connection."""

    kind: str  # list, head, get, put, copy, delete
    key: str
    status: int = 200
    headers: dict = field(default_factory=dict)
    data: bytes = b""
    raw: object = None
    length: object = "own"  # the value of Content-Length: "own", None for no such header, or a number
    stored: object = None  # of a put and a copy: the stored content; None stores nothing


class Server:
    def __init__(self, things, bucket):
        self.things = {key: Thing(thing.data, dict(thing.headers)) for key, thing in things.items()}
        self.bucket = bucket
        self.lie, self.wanted, self.times, self.told = None, lambda _: False, 0, 0
        self.lock = threading.Lock()
        owner = self

        class Handler(_Handler):
            server_of = owner

        self.http = WebServer(Handler)
        self.url = self.http.url

    def tell(self, lie, kinds, key="", times=10**9):
        """Lies in responses to requests of these kinds, for keys that contain the text."""
        self.lie, self.times = lie, times
        self.wanted = lambda answer: answer.kind in kinds and key in answer.key

    def close(self):
        self.http.close()

    def say(self, answer):
        with self.lock:
            lying = self.lie is not None and self.wanted(answer) and self.told < self.times
            if lying:
                self.told += 1
        if lying:
            self.lie(answer, self)
        if answer.stored is not None:
            with self.lock:
                self.things[answer.key] = answer.stored
        return answer

    def listing(self, prefix, rows=None, extra=""):
        with self.lock:
            rows = rows if rows is not None else [
                (key, len(thing.data), thing.etag) for key, thing in sorted(self.things.items()) if key.startswith(prefix)]
        body = "".join(f"<Contents><Key>{urllib.parse.quote(key)}</Key><Size>{size}</Size><ETag>{escape(etag)}</ETag>"
                       "</Contents>" for key, size, etag in rows)
        return f"{LIST_HEAD}<EncodingType>url</EncodingType>{extra}{body}</ListBucketResult>".encode()


class _Handler(Quiet):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_of = None

    def go(self):
        server = self.server_of
        path, _, text = self.path.partition("?")
        query = {name: values[0] for name, values in urllib.parse.parse_qs(text, keep_blank_values=True).items()}
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not path.startswith(f"/{server.bucket}"):
            return self.send(Answer("other", path, 404, data=b"{}"))
        key = urllib.parse.unquote(path[len(server.bucket) + 2:])
        with server.lock:
            thing = server.things.get(key)
        if not key:
            if "uploads" in query:
                return self.send(Answer("other", "", data=b"<ListMultipartUploadsResult/>"))
            answer = Answer("list", query.get("prefix", ""), data=server.listing(query.get("prefix", "")))
            answer.headers["query"] = query
            return self.send(server.say(answer))
        if self.command == "DELETE":
            with server.lock:
                server.things.pop(key, None)
            return self.send(Answer("delete", key, 204))
        if self.command == "PUT":
            return self.send(server.say(self.put(key, thing, body)))
        kind = self.command.lower()
        if thing is None:
            missing = b"" if kind == "head" else b"<Error><Code>NoSuchKey</Code></Error>"
            return self.send(server.say(Answer(kind, key, 404, data=missing)))
        if "If-Match" in self.headers and self.headers["If-Match"] != thing.etag:
            return self.send(server.say(Answer(kind, key, 412)))
        answer = Answer(kind, key, headers={"ETag": thing.etag, **thing.headers}, data=thing.data)
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if kind == "get" and asked:
            first, last = int(asked[1]), min(int(asked[2]), len(thing.data) - 1)
            if first >= len(thing.data):
                return self.send(server.say(Answer(kind, key, 416)))
            answer.status, answer.data = 206, thing.data[first:last + 1]
            answer.headers["Content-Range"] = f"bytes {first}-{last}/{len(thing.data)}"
        if kind == "head":
            answer.data, answer.length = b"", len(thing.data)
        return self.send(server.say(answer))

    def put(self, key, thing, body):
        match, absent = self.headers.get("If-Match"), self.headers.get("If-None-Match")
        if (absent and thing is not None) or (match and (thing is None or thing.etag != match)):
            return Answer("put", key, 412, data=b"<Error><Code>PreconditionFailed</Code></Error>")
        headers = {name: value for name, value in self.headers.items()
                   if name.lower().startswith("x-amz-meta-") or name.lower() in ("content-type", "cache-control")}
        source = self.headers.get("x-amz-copy-source")
        if source:
            with self.server_of.lock:
                original = self.server_of.things.get(urllib.parse.unquote(source).split("/", 2)[2])
            if original is None:
                return Answer("copy", key, 404)
            kept = Thing(original.data, headers)
            said = f"<CopyObjectResult><ETag>{escape(kept.etag)}</ETag></CopyObjectResult>".encode()
            return Answer("copy", key, data=said, stored=kept)
        kept = Thing(body, headers)
        crc = self.headers.get("x-amz-checksum-crc32c")
        return Answer("put", key, headers={"ETag": kept.etag, **({"x-amz-checksum-crc32c": crc} if crc else {})},
                      stored=kept)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = go

    def send(self, answer):
        if answer.raw is not None:
            answer.raw(self.wfile)
            self.close_connection = True
            return
        self.send_response_only(answer.status)
        for name, value in answer.headers.items():
            if isinstance(value, str):
                self.send_header(name, value)
        length = len(answer.data) if answer.length == "own" else answer.length
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.data)
        if length is None or (self.command != "HEAD" and length != len(answer.data)):
            self.close_connection = True
