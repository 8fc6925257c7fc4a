"""Prints a description of the machine."""

import os
import platform

print(platform.platform(), os.cpu_count(), "cores")
