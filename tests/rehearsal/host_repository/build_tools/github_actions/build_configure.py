"""Configures the build by the variables of its step."""

import os
import subprocess

families = os.environ["amdgpu_families"]
subprocess.run(["cmake", "-S", ".", "-B", os.environ["BUILD_DIR"], "-G", "Ninja", f"-DAMDGPU_FAMILIES={families}",
                f"-DARTIFACT_GROUP={families}", f"-DVARIANT={os.environ['cmake_preset'] or 'release'}",
                f"-DROCM_VERSION={os.environ['package_version']}"], check=True)
