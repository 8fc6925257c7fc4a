"""The pip of the tests' environment, imported once: this file, as a program, forks for each call. The import takes half of
what most calls do."""

import atexit
import functools
import gc
import json
import os
import subprocess
import sys
import tempfile


def _end(server):
    server.stdin.close()
    server.wait(20)


@functools.cache
def _server():
    server = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(_end, server)
    return server


def pip(*words, environment):
    """Status, stdout and stderr of pip with these words and variables."""
    server = _server()
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as problems:
        print(json.dumps([[*map(str, words)], environment, out.name, problems.name]), file=server.stdin, flush=True)
        return int(server.stdout.readline()), out.read().decode(), problems.read().decode()


def _call(main, words, environment, *files):
    for number, name in enumerate(files, 1):
        os.dup2(os.open(name, os.O_WRONLY), number)
    os.environ.clear()
    os.environ.update(environment)
    return main(words)


def _serve():
    import pip._internal.commands.download  # noqa: F401 (else imported by each call)
    import pip._internal.commands.install  # noqa: F401
    from pip._internal.cli.main import main
    from pip._internal.network.session import user_agent

    user_agent()  # keeps what other programs told about the machine
    gc.freeze()  # else each child would copy what its collector looks at
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.exit(_call(main, *json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    _serve()
