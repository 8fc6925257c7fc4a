"""Stores over TLS, like S3: directly, and through a proxy that needs a password and cuts connections."""

import base64
import random
import socket
import subprocess
import threading

import pytest
import s3_server as s3

MIB = 1 << 20
PASSWORD = base64.b64encode(b"user:p@ss").decode()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out",
                    folder / "cert.pem", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    with s3.serving(folder, "bucket", tls=(folder / "cert.pem", folder / "key.pem")) as server:
        yield server


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "source"
    path.write_bytes(random.Random(1).randbytes(23 * MIB + 17))
    return path


def there_and_back(server, file, env):
    back = file.with_name("back")
    put = s3.probe(server.url, "bucket", "small", "upload", "a+b/file.whl", file, env=env)
    assert put["sha256"] == s3.sha256(file), put
    assert s3.probe(server.url, "bucket", "small", "download", "a+b/file.whl", back, env=env) is True
    assert back.read_bytes() == file.read_bytes()
    assert s3.probe(server.url, "bucket", "read", "nothing", env=env) is None


@pytest.mark.quick
def test_files_go_up_and_come_down(server, file):
    there_and_back(server, file, {"AWS_CA_BUNDLE": server.tls[0]})


@pytest.mark.quick
def test_who_is_not_trusted_is_told_nothing(server):
    stranger = s3.probe(server.url, "bucket", "read", "x", env={"AWS_CA_BUNDLE": "", "SSL_CERT_FILE": "",
                                                                "SSL_CERT_DIR": "/nowhere"})
    assert stranger["error"] == "unreached" and "its certificate is not trusted: self" in stranger["message"]
    other = server.url.replace("localhost", "127.0.0.1")
    renamed = s3.probe(other, "bucket", "read", "x", env={"AWS_CA_BUNDLE": server.tls[0]})
    assert renamed["error"] == "unreached" and "127.0.0.1: its certificate is not trusted" in renamed["message"]


def test_silence_in_the_handshake_ends(server):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        env = {"AWS_CA_BUNDLE": server.tls[0], "WHEELRUN_NETWORK_TIMEOUT": "1"}
        dead = s3.probe(f"https://localhost:{silent.getsockname()[1]}", "bucket", "read", "x", env=env)
    assert dead["error"] == "unreached" and "the connection timed out or was too slow" in dead["message"]


class Tunnels:
    """A proxy for CONNECT. Cuts the first `cuts` connections after a megabyte of response."""

    def __init__(self, cuts=0):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.cuts, self.heads, self.lock = cuts, [], threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.tunnel, args=(client,), daemon=True).start()

    def tunnel(self, client):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(1)
        self.heads.append(head.decode())
        if f"Proxy-Authorization: Basic {PASSWORD}" not in self.heads[-1]:
            client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return client.close()
        server = socket.create_connection(("127.0.0.1", int(head.split()[1].split(b":")[1])))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        threading.Thread(target=self.pump, args=(client, server, None), daemon=True).start()
        return self.pump(server, client, MIB)

    def pump(self, source, sink, most):
        passed = 0
        try:
            while piece := source.recv(65536):
                passed += len(piece)
                sink.sendall(piece)
                with self.lock:
                    if most and passed > most and self.cuts > 0:
                        self.cuts -= 1
                        break
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


@pytest.mark.parametrize("cuts", [0, 4])
def test_a_proxy_is_passed_and_what_it_cuts_is_made_up_for(server, file, cuts):
    tunnels = Tunnels(cuts)
    there_and_back(server, file, {"AWS_CA_BUNDLE": server.tls[0], "NO_PROXY": "", "no_proxy": "",
                                  "HTTPS_PROXY": f"http://user:p%40ss@127.0.0.1:{tunnels.port}"})
    assert tunnels.heads and tunnels.cuts == 0
    assert all(head.startswith(f"CONNECT localhost:{server.port} ") for head in tunnels.heads)
    tunnels.listener.close()


def test_a_proxy_that_refuses_is_named(server):
    tunnels = Tunnels()
    refused = s3.probe(server.url, "bucket", "read", "x", env={
        "AWS_CA_BUNDLE": server.tls[0], "NO_PROXY": "", "HTTPS_PROXY": f"http://127.0.0.1:{tunnels.port}"})
    assert refused["error"] == "unreached"
    assert f"the proxy 127.0.0.1 does not connect to localhost:{server.port}: it answers 407" in refused["message"]
    tunnels.listener.close()
