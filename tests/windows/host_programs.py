"""Programs of this machine that programs under Wine start: for each an .exe, tests/probe/host_program_windows.cpp, asks a
server of the tests for a run. Paths of Windows in arguments and variables are translated; what programs print is not."""

import contextlib
import os
import re
import select
import shutil
import socket
import struct
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".tools/windows/python/python.exe"
BRIDGE = Path(os.environ.get("HOST_PROGRAM", ROOT / "build-wine/tests/host_program.exe"))
UV = ROOT / ".tools/windows/uv/uv.exe"
PREFIX = Path(os.environ.get("WINEPREFIX", ROOT / ".tools/windows/prefix"))


def windows_path(path):
    return f"Z:{path}"


def host_path(path):
    """The path of this machine for one of Windows, by the drives of Wine."""
    drive, rest = path[0].lower(), path[2:].replace("\\", "/")
    found = Path("/" if drive == "z" else PREFIX / "dosdevices" / f"{drive}:").resolve()
    # Windows does not tell apart the case of names.
    for name in rest.strip("/").split("/"):
        if name and not (found / name).exists() and found.is_dir():
            name = next((other for other in os.listdir(found) if other.lower() == name.lower()), name)
        found /= name
    return str(found)


def translated(text):
    """The word of a command line with its path of Windows, if it has one, as a path of this machine."""
    return re.sub(r"(?:(?<=[=:\s])|(?<=^-[IL])|^|(?<=/F[oe])|(?<=/T[cp]))([A-Za-z]:[\\/].*)",
                  lambda found: host_path(found[1]), text)


def translated_list(text):
    return ":".join(host_path(part) if re.match(r"[A-Za-z]:", part) else part for part in text.split(";"))


def install_uv(folder):
    """Puts uv.exe into a folder, with what it needs and Wine lacks. Returns its Windows path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "uv.exe").symlink_to(UV)
    shutil.copy(os.environ["UV_LIBRARY"], folder / "bcryptprimitives.dll")
    return windows_path(folder)


class Programs:
    """The server. programs: {name: function from (words, variables) to a command}."""

    def __init__(self, programs):
        self.programs, self.runs = programs, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def install(self, folder, *names):
        """Puts the .exe of each program into a folder, which is returned as a path of Windows."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            target = folder / f"{name}.exe"
            target.unlink(missing_ok=True)
            shutil.copy(BRIDGE, target)
        return windows_path(folder)

    def close(self):
        self.socket.close()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                client = self.socket.accept()[0]
                threading.Thread(target=self._run, args=(client,), daemon=True).start()

    def _run(self, client):
        with client, client.makefile("rb") as sent:
            def texts():
                return [sent.read(number()).decode() for _ in range(number())]

            def number():
                return struct.unpack("<I", sent.read(4))[0]

            (program, folder), words, variables = texts(), texts(), dict(text.split("=", 1) for text in texts())
            name = program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe").lower()
            self.runs.append((name, words))
            command, environment = self.programs[name]([translated(word) for word in words], variables)
            with subprocess.Popen(command, cwd=host_path(folder), env={**os.environ, **environment},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  start_new_session=True) as process:
                self._pass_on(process, client)
                status = process.wait()
            self._send(client, b"x", str(status if status >= 0 else 128 - status).encode())

    @staticmethod
    def _send(client, kind, content):
        with contextlib.suppress(OSError):
            client.sendall(kind + struct.pack("<I", len(content)) + content)

    def _pass_on(self, process, client):
        """Sends the output, and ends the program when who asked for it has ended."""
        kinds = {process.stdout.fileno(): b"o", process.stderr.fileno(): b"e"}
        while kinds:
            ready = select.select([*kinds, client], [], [])[0]
            if client in ready and not client.recv(1):
                os.killpg(process.pid, 9)
                return
            for stream in ready:
                if stream in kinds:
                    content = os.read(stream, 1 << 16)
                    if content:
                        self._send(client, kinds[stream], content)
                    else:
                        del kinds[stream]


def git(words, variables):
    """The git of this machine; variables of git are paths of Windows at most."""
    kept = {name: translated_list(value) if ":" in value else value for name, value in variables.items()
            if name.startswith("GIT_")}
    return ["git", *words], kept


def tar(words, _):
    return ["tar", *words], {}


@contextlib.contextmanager
def serving(**programs):
    server = Programs(programs)
    try:
        yield server
    finally:
        server.close()
