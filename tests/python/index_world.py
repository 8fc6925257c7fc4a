"""Wheels to index, and a web server that records its requests."""

import functools
import hashlib
import http.server
import re
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pip_runs import pip
from web import WebServer

JSON_TYPE = "application/vnd.pypi.simple.v1+json"


def make_wheel(folder, project, version, requires=(), python=">=3.8", tag="py3-none-any", hole=0):
    """A wheel that pip installs. With `hole`, it has a sparse file of that many zero bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    name = project.replace("-", "_")
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\nRequires-Python: {python}\n"
    metadata += "".join(f"Requires-Dist: {need}\n" for need in requires) + "\n"
    files = {
        f"{name}/__init__.py": f"version = {version!r}\n",
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in files)
    path = folder / f"{name}-{version}-{tag}.whl"
    with open(path, "wb") as file:
        if hole:
            _stretch(file, f"{name}/lib.so", hole, files)
        else:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for entry, text in files.items():
                    archive.writestr(zipfile.ZipInfo(entry), text)
    return path


def _stretch(file, name, hole, files):
    """Writes an archive whose first entry is sparse and has a wrong checksum."""
    info = zipfile.ZipInfo(name)
    info.file_size = info.compress_size = hole
    info.CRC = info.header_offset = 0
    file.write(info.FileHeader(zip64=True))
    file.seek(hole, 1)
    with zipfile.ZipFile(file, "w") as archive:
        archive.filelist.append(info)
        archive.NameToInfo[name] = info
        for entry, text in files.items():
            archive.writestr(zipfile.ZipInfo(entry), text)


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Behaves like a server in front of a bucket: it adds index.html, and sends the JSON page if it is requested and
    `json` is on."""

    protocol_version = "HTTP/1.1"

    def send_head(self):
        path = unquote(urlsplit(self.path).path)
        fault = self.server.fault(self)
        if isinstance(fault, int):
            self.send_error(fault)
            return None
        if fault:
            self.send_response(302)
            self.send_header("Location", fault)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        file = Path(self.directory) / path.lstrip("/")
        kind = None
        if path.endswith("/"):
            wants_json = self.server.json and JSON_TYPE in self.headers.get("Accept", "")
            file, kind = (file / "index.v1.json", JSON_TYPE) if wants_json else (file / "index.html", "text/html")
        elif path.endswith(".html"):
            kind = "text/html"
        if not file.is_file():
            self.send_error(404)
            return None
        size = file.stat().st_size
        begin, end = 0, size
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if asked:
            first, last = asked.groups()
            begin = int(first) if first else max(0, size - int(last))
            end = min(size, int(last) + 1) if first and last else size
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {begin}-{end - 1}/{size}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Type", kind or "application/octet-stream")
        self.send_header("Content-Length", str(end - begin))
        self.end_headers()
        self.server.asked.append((self.command, path, end - begin if self.command == "GET" else 0))
        source = open(file, "rb")
        source.seek(begin)
        self.left = end - begin
        return source

    def copyfile(self, source, outputfile):
        while self.left and (piece := source.read(min(self.left, 1 << 16))):
            outputfile.write(piece)
            self.left -= len(piece)

    def log_message(self, *_):
        pass


@contextmanager
def served(folder, json=False, fault=lambda request: None):
    """Serves a folder. Gives the server, with its `url` and requests: (method, path, bytes). `fault` gives the status
    or the redirection that answers a request instead."""
    handler = functools.partial(_Handler, directory=str(folder))
    with WebServer(handler) as server:
        server.json, server.fault = json, fault
        server.asked = []
        yield server


def wheels_asked(server):
    """Names of the wheels of which any bytes were requested."""
    return sorted({path.rsplit("/", 1)[1] for _, path, _ in server.asked if path.endswith(".whl")})


def bytes_asked(server):
    return sum(size for _, _, size in server.asked)


INSTALLERS = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "PIP_CONFIG_FILE": "/dev/null", "UV_NO_CONFIG": "1"}


def source(kind, url):
    """The options that pass a source of that kind to an installer."""
    return ["--no-index", "--find-links", f"{url}/find-links.html"] if kind == "find-links" else ["--index-url", url + "/"]


def _pip(*words):
    # Nothing is said of other packages of the tests' environment, and nothing is compiled.
    status, out, problems = pip("--isolated", "install", "--no-cache-dir", "--disable-pip-version-check",
                                "--no-warn-conflicts", "--no-compile", *words, environment=INSTALLERS)
    return status, out, out + problems


def pip_install(kind, url, target, *what):
    return _pip("--target", target, *source(kind, url), *what)


def uv(*words):
    done = subprocess.run([Path(sys.executable).parent / "uv", *map(str, words)], capture_output=True, text=True,
                          check=False, timeout=300, env=INSTALLERS)
    return done.returncode, done.stdout, done.stdout + done.stderr


def uv_install(kind, url, target, *what):
    return uv("pip", "install", "--no-cache", "--python", sys.executable, "--target", target, *source(kind, url), *what)


def uv_resolve(kind, url, folder, *what):
    """Resolves without installing. Gives the lines with pinned versions."""
    wanted = folder / "wanted.txt"
    wanted.write_text("\n".join(what), encoding="utf-8")
    status, out, said = uv("pip", "compile", "--no-cache", "--no-annotate", "--no-header", "--python", sys.executable,
                           *source(kind, url), wanted)
    assert status == 0, said
    return [line for line in out.splitlines() if "==" in line]


def pip_resolve(kind, url, *what):
    """The versions that would be installed."""
    status, out, said = _pip("--dry-run", "--ignore-installed", "--quiet", *source(kind, url), "--report", "-", *what)
    assert status == 0, said
    return out
