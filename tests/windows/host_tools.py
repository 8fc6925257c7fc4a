"""A plugin of pytest by which programs under Wine find git and tar, those of this machine, and a real Python."""

import os
import tempfile
from pathlib import Path

import host_programs


def pytest_configure(config):
    server = host_programs.Programs({"git": host_programs.git, "tar": host_programs.tar})
    os.environ["HOST_PROGRAMS"] = str(server.port)
    folders = [server.install(Path(tempfile.mkdtemp(prefix="tools-")), "git", "tar"), host_programs.windows_path(host_programs.PYTHON.parent)]
    os.environ["WINEPATH"] = ";".join(folders)
    config.add_cleanup(server.close)
