"""There are no sources to fetch: ROCm in small is made of what Debian has."""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--jobs", type=int, required=True)
parser.parse_args()
