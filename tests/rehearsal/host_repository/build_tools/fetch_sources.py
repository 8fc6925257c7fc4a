"""Fetches nothing: the small ROCm of the rehearsals consists of Debian packages."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--jobs", type=int, required=True)
parser.parse_args()
