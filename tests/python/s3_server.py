"""A real S3 server, a proxy in front of it that injects faults, and wheels to send."""

import base64
import contextlib
import hashlib
import hmac
import http.client
import io
import json
import os
import random
import socket
import struct
import subprocess
import threading
import time
import zipfile
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from unittest import mock

import botocore.loaders
import botocore.session
import wheelrun as runner
from needs import need
from web import Quiet, WebServer

ROOT = runner.ROOT
PROBE = os.environ.get("STORAGE_PROBE", str(ROOT / "build/tests/storage_probe"))
SERVER = os.environ.get("VERSITYGW", str(ROOT / ".tools/bin/versitygw"))
AWS = os.environ.get("AWS_CLI", str(ROOT / ".tools/venv/bin/aws"))
KEYS = {"AWS_ACCESS_KEY_ID": "AKTESTTESTTEST", "AWS_SECRET_ACCESS_KEY": "secret/secret+secret", "AWS_REGION": "us-east-1"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def variables(endpoint, **more):
    """The variables of a client, without this machine's own configuration."""
    return {**KEYS, "AWS_ENDPOINT_URL": endpoint, "AWS_CONFIG_FILE": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_SHARED_CREDENTIALS_FILE": "/nowhere", "WHEELRUN_NETWORK_TIMEOUT": "2", **more}


_ONE_AT_A_TIME = threading.Lock()


@cache
def _loader(folders):
    """The descriptions of services, which take longer to read than most commands run."""
    return botocore.loaders.create_loader(folders)


def aws_cli(words, environment):
    """Status, output and errors of the AWS CLI with this environment. It runs in this process: its start would take five
    times as long as most of its commands."""
    from awscli import clidriver  # a seventh of a second, for few tests

    environment = {**environment, "AWS_DATA_PATH": os.environ["AWS_DATA_PATH"]}  # set by that import
    with (_ONE_AT_A_TIME, mock.patch.dict(os.environ, environment, clear=True),
          contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as out,
          contextlib.redirect_stderr(io.StringIO()) as problems):
        driver = clidriver.create_clidriver()
        driver.session.register_component("data_loader", _loader(environment["AWS_DATA_PATH"]))
        status = driver.main([*map(str, words)])
        out.flush()
    return status, out.buffer.getvalue().decode(), problems.getvalue()


class Server:
    """versitygw on a folder. With `accounts`, it has other accounts than its own; `tls` are the files of a certificate
    and its key."""

    def __init__(self, folder, accounts=False, region=KEYS["AWS_REGION"], tls=()):
        self.region = region
        self.port = free_port()
        self.tls = [str(path) for path in tls]
        self.url = f"https://localhost:{self.port}" if tls else f"http://127.0.0.1:{self.port}"
        self.injected = {}  # how often each fault was injected
        (folder / "data").mkdir()
        self.log = open(folder / "server.log", "wb")
        environment = {**os.environ, "ROOT_ACCESS_KEY": KEYS["AWS_ACCESS_KEY_ID"],
                       "ROOT_SECRET_KEY": KEYS["AWS_SECRET_ACCESS_KEY"]}
        options = ["--port", f"127.0.0.1:{self.port}", "--region", region, "--keep-alive", "--quiet"]
        if tls:
            options += ["--cert", self.tls[0], "--key", self.tls[1]]
        if accounts:
            (folder / "accounts").mkdir()
            options += ["--iam-dir", str(folder / "accounts")]
        self.process = subprocess.Popen([SERVER, *options, "posix", str(folder / "data")], env=environment,
                                        stdout=self.log, stderr=self.log)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError((folder / "server.log").read_text())

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()

    def aws(self, *words, check=True, keys=None):
        """Runs the AWS CLI as a second opinion. Gives its output, parsed if it is JSON, or the error."""
        environment = {**runner.environment(), **variables(self.url, AWS_REGION=self.region), "AWS_PAGER": "",
                       **(keys or {})}
        if self.tls:
            environment["AWS_CA_BUNDLE"] = self.tls[0]
        status, said, problem = aws_cli(words, environment)
        if check and status != 0:
            raise RuntimeError(f"aws {words}: {problem}")
        if status != 0:
            return problem
        return json.loads(said) if said.startswith(("{", "[")) else said

    @cached_property
    def client(self):
        """A botocore client for frequent requests, because a command of the AWS CLI takes a tenth of a second."""
        session = botocore.session.Session()
        session.register_component("data_loader", _loader(None))
        return session.create_client(
            "s3", region_name=self.region, endpoint_url=self.url, verify=self.tls[0] if self.tls else None,
            aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"], aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"])

    def make_bucket(self, name):
        place = {} if self.region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": self.region}}
        self.client.create_bucket(Bucket=name, **place)
        return name

    def make_account(self, access, secret):
        subprocess.run([SERVER, "admin", "--access", KEYS["AWS_ACCESS_KEY_ID"], "--secret",
                        KEYS["AWS_SECRET_ACCESS_KEY"], "--region", self.region, "--endpoint-url", self.url,
                        "create-user", "--access", access, "--secret", secret, "--role", "user"],
                       check=True, capture_output=True)

    def allow(self, bucket, writer):
        """Lets everybody read a bucket, and one account do everything in it."""
        everything = [f"arn:aws:s3:::{bucket}", f"arn:aws:s3:::{bucket}/*"]
        statements = [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": everything[1]},
                      {"Effect": "Allow", "Principal": "*", "Action": "s3:ListBucket", "Resource": everything[0]},
                      {"Effect": "Allow", "Principal": writer, "Action": "s3:*", "Resource": everything}]
        policy = json.dumps({"Version": "2012-10-17", "Statement": statements})
        self.client.put_bucket_policy(Bucket=bucket, Policy=policy)

    def _listed(self, bucket, operation, what):
        pages = self.client.get_paginator(operation).paginate(Bucket=bucket)
        return [item for page in pages for item in page.get(what) or []]

    def keys(self, bucket):
        """Sizes of all objects."""
        return {item["Key"]: item["Size"] for item in self._listed(bucket, "list_objects_v2", "Contents")}

    def pending(self, bucket):
        """Uploads in parts that are neither complete nor aborted."""
        return self._listed(bucket, "list_multipart_uploads", "Uploads")


def signature(method, path, headers, names, secret):
    """Signature Version 4 according to its documentation, independent of the program."""
    url, _, query = path.partition("?")
    query = "&".join(sorted(query.split("&"))) if query else ""
    lines = "".join(f"{name}:{' '.join(headers[name].split())}\n" for name in names)
    canonical = f"{method}\n{url}\n{query}\n{lines}\n{';'.join(names)}\n{headers['x-amz-content-sha256']}"
    when = headers["x-amz-date"]
    scope = f"{when[:8]}/us-east-1/s3/aws4_request"
    key = b"AWS4" + secret.encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    text = f"AWS4-HMAC-SHA256\n{when}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    return scope, hmac.digest(key, text.encode(), "sha256").hex()


def without_token(method, path, headers):
    """The server has no session tokens, so they are checked here, and the request is signed again without one."""
    headers = {name.lower(): value for name, value in headers}
    if "x-amz-security-token" not in headers:
        return headers
    names = headers["authorization"].split("SignedHeaders=")[1].split(",")[0].split(";")
    assert "x-amz-security-token" in names, names
    _, expected = signature(method, path, headers, names, KEYS["AWS_SECRET_ACCESS_KEY"])
    assert headers["authorization"].endswith("Signature=" + expected), "wrong signature"
    del headers["x-amz-security-token"]
    names.remove("x-amz-security-token")
    scope, signed = signature(method, path, headers, names, KEYS["AWS_SECRET_ACCESS_KEY"])
    headers["authorization"] = (f"AWS4-HMAC-SHA256 Credential={KEYS['AWS_ACCESS_KEY_ID']}/{scope}, "
                                f"SignedHeaders={';'.join(names)}, Signature={signed}")
    return headers


@dataclass
class Fault:
    """A fault for matching requests, injected up to `times` times with a probability. A function as action is called
    before the request is passed on."""

    action: object
    method: str = ""
    path: str = ""  # a part of the path with its query
    times: int = 1
    share: float = 1.0


@dataclass
class Proxy:
    """Passes requests on, unless a fault applies."""

    upstream: int
    faults: list = field(default_factory=list)
    injected: dict = field(default_factory=dict)
    requests: list = field(default_factory=list)
    seed: int = 1

    def __post_init__(self):
        self.random = random.Random(self.seed)
        self.lock = threading.Lock()
        proxy = self

        class Handler(_Handler):
            owner = proxy

        self.server = WebServer(Handler)
        self.url = self.server.url

    def take(self, method, path):
        with self.lock:
            self.requests.append((method, path))
            for fault in self.faults:
                fits = fault.method in ("", method) and fault.path in path and fault.times > 0
                if fits and self.random.random() < fault.share:
                    fault.times -= 1
                    name = getattr(fault.action, "__name__", fault.action)
                    self.injected[name] = self.injected.get(name, 0) + 1
                    return fault.action
        return ""

    def count(self):
        return sum(self.injected.values())

    def close(self):
        self.server.close()


class _Handler(Quiet):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    owner = None

    def handle_any(self):
        action = self.owner.take(self.command, self.path)
        length = int(self.headers.get("Content-Length") or 0)
        if callable(action):
            action()
        if action == "latency":
            time.sleep(0.5)
        if action == "reset-request":
            self.rfile.read(min(length // 2, 200_000))
            return self.reset()
        body = self.rfile.read(length)
        if action == "hang":
            time.sleep(4)
            return self.reset()
        refusals = {"503": (503, "SlowDown", "Please reduce your request rate."), "500": (500, "InternalError", "Oops."),
                    "501": (501, "NotImplemented", "Never heard of it."), "429": (429, "TooManyRequests", "Slow."),
                    "403": (403, "AccessDenied", "Access Denied"),
                    "expired": (400, "ExpiredToken", "The provided token has expired.")}
        if action in refusals:
            status, code, text = refusals[action]
            return self.answer(status, [("Content-Type", "application/xml")],
                               f"<Error><Code>{code}</Code><Message>{text}</Message></Error>".encode())
        if action == "late":  # it is executed long after the client gave up
            threading.Timer(4, self.pass_on, [body]).start()
            return self.reset()
        if action == "hasty":  # the response of versitygw while another request assembles the object
            return self.answer(200, [("Content-Type", "application/xml")], b"<CompleteMultipartUploadResult><ETag>"
                               b"&quot;0&quot;</ETag></CompleteMultipartUploadResult>")
        answer, content = self.pass_on(body)
        headers = [(name, value) for name, value in answer.getheaders()
                   if name.lower() not in ("content-length", "connection", "transfer-encoding", "keep-alive")]
        if action == "lie-sum":
            headers = [(n, "AAAAAA==" if n.lower() == "x-amz-checksum-crc32c" else v) for n, v in headers]
        if action == "no-sums":
            headers = [(n, v) for n, v in headers if not n.lower().startswith("x-amz-checksum-")]
        if self.command == "HEAD":
            return self.answer(answer.status, headers, b"", answer.getheader("Content-Length"))
        if action == "reset-response":
            return self.reset()
        if action == "lie-etag":
            headers = [(n, '"00000000000000000000000000000000"' if n.lower() == "etag" else v) for n, v in headers]
        if action == "lie-body" and content:
            content = content[:-1] + bytes([content[-1] ^ 1])
        if action == "slow":
            return self.answer(answer.status, headers, content, pause=0.3)
        if action == "truncate" and len(content) > 1:
            self.answer(answer.status, headers, content[: len(content) // 2], len(content))
            self.close_connection = True
            return None
        return self.answer(answer.status, headers, content)

    def pass_on(self, body):
        upstream = http.client.HTTPConnection("127.0.0.1", self.owner.upstream, timeout=60)
        try:
            upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in without_token(self.command, self.path, self.headers.items()).items():
                upstream.putheader(name, value)
            upstream.endheaders(body)
            answer = upstream.getresponse()
            return answer, answer.read()
        finally:
            upstream.close()

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any

    def answer(self, status, headers, content, length=None, pause=0.0):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        half = len(content) // 2
        self.wfile.write(content[:half])
        if pause:
            time.sleep(pause)
        self.wfile.write(content[half:])

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()


def probe(endpoint, *words, env=None, timeout=120):
    """One operation on a store: its result, or {"error": KIND}."""
    done = subprocess.run([PROBE, *map(str, words)], env={**runner.environment(), **variables(endpoint, **(env or {}))},
                          capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def make_wheel(folder, project, version, size, seed=0, tag="cp312-cp312-linux_x86_64"):
    """An installable wheel with that many incompressible bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{project}-{version}-{tag}.whl"
    info = f"{project}-{version}.dist-info"
    files = {f"{project}/__init__.py": b"here = True\n", f"{project}/data.bin": random.Random(seed).randbytes(size),
             f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n".encode(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()}
    rows = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},"
                   f"{len(data)}\n" for name, data in files.items())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in [*files.items(), (f"{info}/RECORD", f"{rows}{info}/RECORD,,\n".encode())]:
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return path


@contextlib.contextmanager
def serving(folder, *buckets, tls=()):
    """A server with these buckets. At the end it prints the number of injected faults."""
    need(PROBE, SERVER, AWS)
    server = Server(folder, tls=tls)
    try:
        for bucket in buckets:
            server.make_bucket(bucket)
        yield server
    finally:
        server.close()
    print(f"\nfaults injected: {sum(server.injected.values())}: {json.dumps(server.injected, sort_keys=True)}")


@contextlib.contextmanager
def disturbed(server):
    """A proxy in front of the server."""
    proxy = Proxy(server.port)
    try:
        yield proxy
    finally:
        proxy.close()
        for action, count in proxy.injected.items():
            server.injected[action] = server.injected.get(action, 0) + count
