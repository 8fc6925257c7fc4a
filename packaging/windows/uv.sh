#!/usr/bin/env bash
# Unpacks the uv of the tests for Windows, from its wheel:
#   uv.sh FOLDER PYTHON REQUIREMENT
# PYTHON is one of this machine that has pip. The result is FOLDER/uv.exe.
set -euo pipefail

folder=$1 python=$2 requirement=$3
rm -rf "${folder:?}"
mkdir -p "$folder"
"$python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: --platform win_amd64 \
  --dest "$folder/wheel" "$requirement"
"$python" -m zipfile -e "$folder"/wheel/*.whl "$folder/wheel"
mv "$folder"/wheel/*.data/scripts/uv.exe "$folder/"
rm -r "${folder:?}/wheel"
