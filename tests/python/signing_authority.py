"""A certificate authority, a certificate log and a transparency log like those of Sigstore, for tests without a
network. What it signs has the form of the bundles of actions/attest.

Formats: https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md (certificates), RFC 6962 (certificate log),
https://github.com/sigstore/rekor/blob/main/openapi.yaml and https://c2sp.org/tlog-checkpoint (transparency log),
https://github.com/sigstore/protobuf-specs (bundle and trusted root).

As a program it signs for the actions/attest of rehearsals: signing_authority.py FOLDER new|sign ...
"""

import argparse
import base64
import datetime
import hashlib
import json
import struct
import sys
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

ISSUER = "https://token.actions.githubusercontent.com"
PROVENANCE = "https://slsa.dev/provenance/v1"
# Whose certificates `gh` checks by the rules of Sigstore's public instance: certificate log, log entry, time.
ORGANIZATION = "sigstore.dev"
SCT_LIST = ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
SHA256 = hashes.SHA256()
# The extensions of a certificate: number and the member of `claims`.
CLAIMS = {8: "issuer", 9: "signer", 10: "signer_digest", 11: "runner", 12: "repository", 13: "commit", 14: "ref",
          15: "repository_id", 16: "owner", 17: "owner_id", 18: "config", 19: "commit", 20: "event", 21: "run",
          22: "visibility"}


def b64(data):
    return base64.b64encode(data).decode()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def spki(key):
    return key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def key_id(key):
    return hashlib.sha256(spki(key)).digest()


def text_of(value):
    """DER of a UTF8String."""
    data = value.encode()
    size = bytes([len(data)]) if len(data) < 128 else b"\x82" + struct.pack(">H", len(data))
    return b"\x0c" + size + data


def claims(repository="ROCm/TheRock", workflow=".github/workflows/attest_pytorch_wheels.yml", ref="refs/heads/main",
           commit="c0ffee" + 34 * "0", caller=".github/workflows/release_linux_pytorch_wheels_gfx94X-dcgpu.yml",
           event="schedule", runner="github-hosted", run="19000000001", signer_repository=None):
    """What GitHub says of a job: its repository and run, and the reusable workflow that signs in it."""
    home = "https://github.com/"
    return {"issuer": ISSUER, "signer": f"{home}{signer_repository or repository}/{workflow}@{ref}",
            "signer_digest": commit, "runner": runner, "repository": home + repository, "commit": commit, "ref": ref,
            "repository_id": "1", "owner": home + repository.split("/")[0], "owner_id": "2",
            "config": f"{home}{repository}/{caller}@{ref}", "event": event,
            "run": f"{home}{repository}/actions/runs/{run}/attempts/1", "visibility": "public"}


class Authority:
    """Its keys are made anew for each object, unless `folder` has them."""

    def __init__(self, folder=None):
        self.keys = {name: self._key(folder, name) for name in ("root", "fulcio", "ct", "rekor")}
        # Certificates are made again from the keys: serial numbers and times are fixed.
        self.start = datetime.datetime(2026, 1, 1)
        self.root = self._ca("root", self.keys["root"], "root", None)
        self.fulcio = self._ca("fulcio", self.keys["fulcio"], "root", self.root)

    @staticmethod
    def _key(folder, name):
        path = Path(folder) / f"{name}.pem" if folder else None
        if path and path.exists():
            return serialization.load_pem_private_key(path.read_bytes(), None)
        key = ec.generate_private_key(ec.SECP256R1())
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                               serialization.NoEncryption()))
        return key

    def _ca(self, name, key, signer, issuer):
        subject = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, ORGANIZATION),
                             x509.NameAttribute(NameOID.COMMON_NAME, name)])
        by = self.keys[signer]
        builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer.subject if issuer else subject)
                   .public_key(key.public_key()).serial_number(len(name))
                   .not_valid_before(self.start).not_valid_after(self.start + datetime.timedelta(days=36500))
                   .add_extension(x509.BasicConstraints(True, 0 if issuer else 1), True)
                   .add_extension(x509.KeyUsage(False, False, False, False, False, True, True, False, False), True)
                   .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
                   .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), False))
        if issuer:
            builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), False)
        return builder.sign(by, SHA256)

    def trusted_root(self, folder):
        """The file for `gh attestation verify --custom-trusted-root`."""
        valid = {"start": "2026-01-01T00:00:00Z"}

        def log(url, key):
            return {"baseUrl": url, "hashAlgorithm": "SHA2_256", "logId": {"keyId": b64(key_id(key))},
                    "publicKey": {"rawBytes": b64(spki(key)), "keyDetails": "PKIX_ECDSA_P256_SHA_256",
                                  "validFor": valid}}
        chain = [{"rawBytes": b64(one.public_bytes(serialization.Encoding.DER))} for one in (self.fulcio, self.root)]
        root = {"mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
                "tlogs": [log("https://rekor.example", self.keys["rekor"])],
                "certificateAuthorities": [{"subject": {"organization": ORGANIZATION, "commonName": "fulcio"},
                                            "uri": "https://fulcio.example", "certChain": {"certificates": chain},
                                            "validFor": valid}],
                "ctlogs": [log("https://ct.example", self.keys["ct"])]}
        path = Path(folder) / "trusted_root.jsonl"
        path.write_text(json.dumps(root) + "\n", encoding="utf-8")
        return path

    def _certificate(self, key, said, at):
        builder = (x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(self.fulcio.subject)
                   .public_key(key.public_key()).serial_number(x509.random_serial_number())
                   .not_valid_before(at).not_valid_after(at + datetime.timedelta(minutes=10))
                   .add_extension(x509.KeyUsage(True, False, False, False, False, False, False, False, False), True)
                   .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), False)
                   .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
                   .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(
                       self.keys["fulcio"].public_key()), False)
                   .add_extension(x509.SubjectAlternativeName(
                       [x509.UniformResourceIdentifier(said["signer"])]), True))
        old = {1: said["issuer"], 2: said["event"], 3: said["commit"], 4: "Release",
               5: said["repository"].removeprefix("https://github.com/"), 6: said["ref"]}
        values = {**{number: value.encode() for number, value in old.items()},
                  **{number: text_of(said[name]) for number, name in CLAIMS.items()}}
        for number, value in values.items():
            oid = ObjectIdentifier(f"1.3.6.1.4.1.57264.1.{number}")
            builder = builder.add_extension(x509.UnrecognizedExtension(oid, value), False)
        tbs = builder.sign(self.keys["fulcio"], SHA256).tbs_certificate_bytes
        return builder.add_extension(x509.UnrecognizedExtension(SCT_LIST, self._sct(tbs, at)), False).sign(
            self.keys["fulcio"], SHA256)

    def _sct(self, tbs, at):
        """The certificate log's promise, as the value of a certificate's extension."""
        when = struct.pack(">Q", int(at.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000))
        signed = (b"\0\0" + when + b"\0\1" + key_id(self.keys["fulcio"]) + struct.pack(">I", len(tbs))[1:] + tbs +
                  b"\0\0")
        signature = self.keys["ct"].sign(signed, ec.ECDSA(SHA256))
        sct = (b"\0" + key_id(self.keys["ct"]) + when + b"\0\0" + b"\4\3" + struct.pack(">H", len(signature)) +
               signature)
        inner = struct.pack(">H", len(sct)) + sct
        inner = struct.pack(">H", len(inner)) + inner
        return b"\x04" + (bytes([len(inner)]) if len(inner) < 128 else b"\x81" + bytes([len(inner)])) + inner

    def _log(self, body, at):
        """An entry of the transparency log, which has one other entry."""
        log_id = key_id(self.keys["rekor"])
        other = hashlib.sha256(b"\0another entry").digest()
        root = hashlib.sha256(b"\1" + other + hashlib.sha256(b"\0" + body).digest()).digest()
        note = f"rekor.example\n2\n{b64(root)}\n".encode()
        mark = b64(log_id[:4] + self.keys["rekor"].sign(note, ec.ECDSA(SHA256)))
        promise = canonical({"body": b64(body), "integratedTime": at, "logID": log_id.hex(), "logIndex": 1})
        return {"logIndex": "1", "logId": {"keyId": b64(log_id)}, "integratedTime": str(at),
                "kindVersion": {"kind": "dsse", "version": "0.0.1"},
                "inclusionPromise": {"signedEntryTimestamp": b64(self.keys["rekor"].sign(promise, ec.ECDSA(SHA256)))},
                "inclusionProof": {"logIndex": "1", "rootHash": b64(root), "treeSize": "2", "hashes": [b64(other)],
                                   "checkpoint": {"envelope": f"{note.decode()}\n\u2014 rekor.example {mark}\n"}},
                "canonicalizedBody": b64(body)}

    def sign(self, subjects, predicate_type, predicate, said=None, late=0):
        """The bundle of a statement about subjects, {name: SHA-256}. late: seconds between certificate and log."""
        statement = {"_type": "https://in-toto.io/Statement/v1",
                     "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in subjects.items()],
                     "predicateType": predicate_type, "predicate": predicate}
        payload, kind = json.dumps(statement).encode(), "application/vnd.in-toto+json"
        key = ec.generate_private_key(ec.SECP256R1())
        at = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None, microsecond=0)
        certificate = self._certificate(key, said or claims(), at - datetime.timedelta(minutes=1))
        signature = key.sign(b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload),
                             ec.ECDSA(SHA256))
        envelope = {"payload": b64(payload), "payloadType": kind, "signatures": [{"sig": b64(signature)}]}
        pem = certificate.public_bytes(serialization.Encoding.PEM)
        body = {"apiVersion": "0.0.1", "kind": "dsse", "spec": {
            "envelopeHash": {"algorithm": "sha256", "value": hashlib.sha256(canonical(envelope)).hexdigest()},
            "payloadHash": {"algorithm": "sha256", "value": hashlib.sha256(payload).hexdigest()},
            "signatures": [{"signature": b64(signature), "verifier": b64(pem)}]}}
        time = int(at.replace(tzinfo=datetime.timezone.utc).timestamp()) + late
        return {"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
                "verificationMaterial": {
                    "certificate": {"rawBytes": b64(certificate.public_bytes(serialization.Encoding.DER))},
                    "tlogEntries": [self._log(canonical(body), time)], "timestampVerificationData": {}},
                "dsseEnvelope": envelope}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("command", choices=["new", "sign"])
    parser.add_argument("--subjects", type=Path, help="lines of SHA256  NAME")
    parser.add_argument("--predicate-type")
    parser.add_argument("--predicate", type=Path)
    parser.add_argument("--claims", type=json.loads, default={})
    asked = parser.parse_args()
    authority = Authority(asked.folder)
    if asked.command == "new":
        print(authority.trusted_root(asked.folder))
        return
    subjects = {name.lstrip("*"): digest for digest, name in
                (line.split(maxsplit=1) for line in asked.subjects.read_text(encoding="utf-8").splitlines())}
    predicate = json.loads(asked.predicate.read_text(encoding="utf-8"))
    json.dump(authority.sign(subjects, asked.predicate_type, predicate, claims(**asked.claims)), sys.stdout)


if __name__ == "__main__":
    main()
