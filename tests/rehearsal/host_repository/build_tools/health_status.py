"""Tells what machine it is."""

import os
import platform

print(platform.platform(), os.cpu_count(), "cores")
