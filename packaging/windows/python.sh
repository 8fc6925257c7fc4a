#!/usr/bin/env bash
# Unpacks a CPython for Windows, which Maven Central has in a package of JavaCPP:
#   python.sh FOLDER
# The result is FOLDER/python.exe. It has no launcher for virtual environments.
set -euo pipefail

readonly VERSION=3.11.3-1.5.9
folder=$1
rm -rf "${folder:?}"
mkdir -p "$folder"
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
  -Dartifact=org.bytedeco:cpython:$VERSION:jar:windows-x86_64 -DoutputDirectory="$folder/jar"
python3 -m zipfile -e "$folder/jar/cpython-$VERSION-windows-x86_64.jar" "$folder/jar"
mv "$folder"/jar/org/bytedeco/cpython/windows-x86_64/* "$folder/"
rm -r "${folder:?}/jar"
# The name that Python asks for: where its case differs, Wine reads the whole folder at each call.
mv "$folder/lib" "$folder/Lib"
# Under Wine, Python takes seconds to compile what pip imports. Copies keep the times by which the bytecode is current.
if [[ $(python3 -c 'import sys; print(sys.implementation.cache_tag)') == cpython-311 ]]; then
  python3 -m compileall -q -j 0 -x '/tests?/' "$folder/Lib"
fi
