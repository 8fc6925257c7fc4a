"""Destinations of secrets, contents of messages, and exit statuses."""

import json

import pytest
import wheelrun as runner
from index_world import make_wheel, sha256
from web import Quiet, WebServer

LIST = ["index", "--family", "gfx1151", "--bucket", "therock-dev-python"]
CLEAN = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_CONFIG_FILE": "/nowhere", "AWS_REGION": "us-east-1",
         "AWS_SHARED_CREDENTIALS_FILE": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true", "WHEELRUN_NETWORK_TIMEOUT": "1"}


@pytest.fixture
def listener():
    """A plain HTTP server that records requests."""
    heard = []

    class Handler(Quiet):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            heard.append((self.path, dict(self.headers), body.decode()))
            self.send_response(403)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST = do_PUT = do_HEAD = answer

    with WebServer(Handler, "0.0.0.0") as server:
        yield server.port, heard


@pytest.mark.parametrize("variables", [
    {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://proxy.example:{port}/"},
    {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://0.0.0.0:{port}/"},
    {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1.example:{port}/"},
    {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1@0.0.0.0:{port}/"},
    {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "@0.0.0.0:{port}/"},
    {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": ".example:{port}/"},
    {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "ftp://127.0.0.1:{port}/"},
])
def test_the_token_of_a_container_goes_to_nobody_else(listener, variables):
    port, heard = listener
    env = {**CLEAN, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "s3cret", **{k: v.format(port=port) for k, v in variables.items()}}
    done = runner.wheelrun(*LIST, "--endpoint-url", f"http://127.0.0.1:{port}", env=env)
    assert done.status == 1
    assert not any("s3cret" in json.dumps(one) for one in heard), heard
    assert "s3cret" not in done.stdout + done.stderr


def test_the_token_of_a_container_goes_to_this_machine(listener):
    port, heard = listener
    env = {**CLEAN, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "s3cret",
           "AWS_CONTAINER_CREDENTIALS_FULL_URI": f"http://127.0.0.1:{port}/creds"}
    runner.wheelrun(*LIST, "--endpoint-url", f"http://127.0.0.1:{port}", env=env)
    assert any(path == "/creds" and headers.get("Authorization") == "s3cret" for path, headers, _ in heard)


@pytest.mark.parametrize("variables", [
    {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/creds", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "s3cret"},
    {"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/creds", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "s3cret"},
    {"AWS_WEB_IDENTITY_TOKEN_FILE": "token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/x",
     "AWS_ENDPOINT_URL_STS": "http://127.0.0.1:1"},
    {"AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:1"},
])
def test_no_proxy_stands_between_a_job_and_its_credentials(listener, tmp_path, variables):
    """A proxy for plain HTTP could read its requests, but these services are on the job's machine."""
    port, heard = listener
    (tmp_path / "token").write_text("s3cret")
    env = {**CLEAN, **{name: f"http://127.0.0.1:{port}" for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY")}, **variables}
    done = runner.wheelrun(*LIST, "--endpoint-url", "http://127.0.0.1:1", cwd=tmp_path, env=env, timeout=60)
    assert done.status == 1, done.stderr
    assert not any(part in path for path, _, _ in heard for part in ("creds", "latest", "Action")), heard
    assert "s3cret" not in json.dumps(heard)


@pytest.mark.parametrize("endpoint", ["http://0.0.0.0:{port}", "http://sts.example:{port}", "http://127.0.0.1@0.0.0.0:{port}"])
def test_the_token_of_a_job_goes_over_tls(listener, tmp_path, endpoint):
    port, heard = listener
    (tmp_path / "token").write_text("s3cret")
    env = {**CLEAN, "AWS_WEB_IDENTITY_TOKEN_FILE": str(tmp_path / "token"), "AWS_ROLE_ARN": "arn:aws:iam::1:role/x",
           "AWS_ENDPOINT_URL_STS": endpoint.format(port=port)}
    done = runner.wheelrun(*LIST, "--endpoint-url", f"http://127.0.0.1:{port}", env=env)
    assert done.status == 1 and not any("s3cret" in body for _, _, body in heard)


@pytest.mark.parametrize("endpoint", ["ftp://user:pa55word@server.example", "http://user:pa55word@server.example",
                                      "https://user:pa55word@", "user:pa55word@server.example://x", "http://u:pa55word@s/?q=1"])
def test_no_password_is_printed(endpoint):
    for words, env in [(["--endpoint-url", endpoint], {}), ([], {"AWS_ENDPOINT_URL": endpoint})]:
        done = runner.wheelrun(*LIST, *words, env={**CLEAN, **env})
        assert done.status == 2 and "pa55word" not in done.stdout + done.stderr, done.stderr


@pytest.fixture
def store(tmp_path):
    family = "gfx94X-dcgpu"
    wheel = make_wheel(tmp_path / "store/v2-staging" / family, "torch", "2.10.0")
    words = ["promote", "--platform", "linux", "--family", family, "--output-dir", tmp_path / "store", "--release-type",
             "nightly", "--wheels", json.dumps({wheel.name: sha256(wheel)}), "--build-result", "success",
             "--test-results", f"{family}=success"]
    return words, tmp_path / "store/v2" / family / wheel.name


@pytest.mark.parametrize("file", ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"])
def test_what_was_published_is_not_called_undone(store, tmp_path, file):
    words, released = store
    env = {"GITHUB_ACTIONS": "true", "GITHUB_REF_NAME": "main", file: str(tmp_path / "store/v2-staging")}  # a folder
    done = runner.wheelrun(*words, env=env)
    assert released.exists()
    assert done.status == 1, done.stdout + done.stderr
    assert "the wheels were promoted" in done.stdout


def test_an_upload_whose_outputs_cannot_be_written_says_what_is_there(tmp_path):
    make_wheel(tmp_path / "dist", "torch", "2.10.0")
    done = runner.wheelrun("upload", tmp_path / "dist", "--family", "gfx1151", "--platform", "linux", "--run-id", "7",
                           "--output-dir", tmp_path / "store",
                           env={"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(tmp_path)})
    assert done.status == 1 and "the files were uploaded" in done.stdout
