"""Programs in Python that import for longer than they work, without that import in each call.

`Forks(modules)` is a server with these modules. `program(path, script)` writes a program that asks it to run a script:
the server forks a process, which runs it from its beginning with the caller's arguments, variables, folder and files.
"""

import atexit
import contextlib
import gc
import importlib
import os
import runpy
import socket
import subprocess
import sys

# Imports little, because its own start is what a call costs.
_CLIENT = """\
#!{python} -IS
import _socket
import os
import sys

parts = [{script!r}, os.getcwd(), str(len(sys.argv)), *sys.argv, *map("=".join, os.environ.items())]
request = b"\\0".join(map(os.fsencode, parts))
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
files = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
server.sendmsg([len(request).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
while request:
    request = request[server.send(request):]
status = server.recv(1)
sys.exit(status[0] if status else "the forked process died")
"""


class Forks:
    """A server; its modules are imported when the first program is called."""

    def __init__(self, *modules):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("")  # a name of its own that is no file: Linux limits the length of paths
            listener.listen(64)
            self.address = listener.getsockname()
            self._process = subprocess.Popen([sys.executable, __file__, *modules], stdin=listener)

    def close(self):
        self._process.terminate()
        self._process.wait()

    def program(self, path, script):
        path.write_text(_CLIENT.format(python=sys.executable, script=str(script), address=self.address), encoding="utf-8")
        path.chmod(0o755)


def _receive(connection):
    """(script, folder, arguments, variables, files) of a call."""
    size, files, _, _ = socket.recv_fds(connection, 4, 3)
    with connection.makefile("rb") as stream:
        script, folder, count, *rest = map(os.fsdecode, stream.read(int.from_bytes(size, "big")).split(b"\0"))
    arguments, variables = rest[: int(count)], rest[int(count):]
    return script, folder, arguments, dict(one.split("=", 1) for one in variables), files


def _run(connection):
    """Runs a script. Gives its status."""
    script, folder, arguments, variables, files = _receive(connection)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.dont_write_bytecode = bool(variables.get("PYTHONDONTWRITEBYTECODE"))
    sys.argv[:] = arguments
    sys.path[0] = os.path.dirname(script)
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if not isinstance(end.code, str):
            return int(end.code or 0)
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:  # as an interpreter that ends
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _reap():
    """Ends processes that are done."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _serve(modules):
    listener = socket.socket(fileno=os.dup(0))
    listener.settimeout(10)
    starter = os.getppid()
    while os.getppid() == starter:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        connection.setblocking(True)
        _reap()
        for module in modules:
            importlib.import_module(module)
        gc.freeze()
        if os.fork() == 0:
            listener.close()
            status = 1
            try:
                status = _run(connection)
                atexit._run_exitfuncs()  # os._exit() does not; temporary folders are removed by these
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                connection.send(bytes([status & 255]))
                os._exit(status)
        connection.close()


if __name__ == "__main__":
    _serve(sys.argv[1:])
