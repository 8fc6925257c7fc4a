"""A local package index with trusted publishing, over TLS:
    package_index.py FOLDER
prints its port. Uploads and pages are served by pypiserver; the token exchange follows PyPI
(https://docs.pypi.org/trusted-publishers/internals/) and GitHub (`ACTIONS_ID_TOKEN_REQUEST_URL`). FOLDER holds
certificate.pem, key.pem, publisher.json with the trusted claims, and identity-of-JOB.json with the claims of a job.
"""

import base64
import json
import secrets
import ssl
import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from urllib.parse import parse_qs
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pypiserver

FOLDER = Path(sys.argv[1])
PACKAGES = FOLDER / "packages"
PACKAGES.mkdir()
identities = {}  # {token from GitHub: (job, audience, claims)}
minted = set()


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def identity(environ):
    """GitHub's response to a job's request for an OIDC token."""
    query = parse_qs(environ["QUERY_STRING"])
    (job,), (audience,) = query["job"], query["audience"]
    if environ.get("HTTP_AUTHORIZATION", "").lower() != f"bearer request-of-{job}":
        return "401 Unauthorized", {"message": "not the token of the job"}
    claims = json.loads((FOLDER / f"identity-of-{job}.json").read_text(encoding="utf-8"))
    token = f"{encoded({'alg': 'none'})}.{encoded({**claims, 'aud': audience})}.{secrets.token_urlsafe()}"
    identities[token] = (job, audience, claims)
    return "200 OK", {"value": token}


def mint(environ):
    """Exchanges a GitHub token, which is valid once, for a token of the index."""
    body = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    job, audience, claims = identities.pop(body.get("token"), ("", "", {}))
    publisher = json.loads((FOLDER / "publisher.json").read_text(encoding="utf-8"))
    trusted = audience == "pypi" and all(claims.get(key) == value for key, value in publisher.items())
    with open(FOLDER / "asked.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps([job, "trusted" if trusted else "refused"]) + "\n")
    if not trusted:
        error = {"code": "invalid-publisher", "description": "valid token, but no corresponding publisher"}
        return "422 Unprocessable Entity", {"message": "Token request failed", "errors": [error]}
    token = f"pypi-{secrets.token_urlsafe()}"
    minted.add(token)
    return "200 OK", {"success": True, "token": token}


ANSWERS = {"/identity": identity, "/_/oidc/mint-token": mint,
           "/_/oidc/audience": lambda environ: ("200 OK", {"audience": "pypi"})}
packages = pypiserver.app(roots=[PACKAGES], authenticate=["update"], disable_fallback=True,
                          auther=lambda user, password: user == "__token__" and password in minted)


def application(environ, start_response):
    path = environ["PATH_INFO"]
    if path in ANSWERS:
        status, answer = ANSWERS[path](environ)
        start_response(status, [("Content-Type", "application/json")])
        return [json.dumps(answer).encode()]
    if path == "/legacy/":
        environ["PATH_INFO"] = "/"
    return packages(environ, start_response)


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Handler(WSGIRequestHandler):
    def log_message(self, *words):
        print(*words, file=sys.stderr, flush=True)


server = make_server("localhost", 0, application, server_class=Server, handler_class=Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(FOLDER / "certificate.pem", FOLDER / "key.pem")
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
