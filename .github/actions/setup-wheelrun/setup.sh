#!/usr/bin/env bash
# The one step of this action. Reads VERSION, SHA256, FROM_SOURCE, SOURCE_DIRECTORY and RELEASES_URL, and
# what the runner sets: RUNNER_TEMP, GITHUB_PATH, GITHUB_OUTPUT.
set -euo pipefail

fail() {
  echo "::error title=setup-wheelrun::$1" >&2
  exit 1
}

case $FROM_SOURCE in
  true)
    cd "$SOURCE_DIRECTORY" || fail "there is no folder '$SOURCE_DIRECTORY'; check the sources out first"
    [[ -x ./dev ]] || fail "'$SOURCE_DIRECTORY' does not hold the sources of wheelwright"
    ./dev build
    directory=$PWD/build
    ;;
  false)
    [[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "version must look like 1.2.3, not '$VERSION'"
    [[ $SHA256 =~ ^[0-9a-f]{64}$ ]] || fail "sha256 must be 64 lower-case hexadecimal digits"
    case $(uname -s)-$(uname -m) in
      Linux-x86_64) platform=linux-x86_64.tar.gz ;;
      MINGW*-x86_64 | MSYS*-x86_64) platform=windows-x86_64.zip ;;
      *) fail "there are no releases for $(uname -s) on $(uname -m); set from-source: true" ;;
    esac
    archive=wheelwright-$VERSION-$platform
    folder=wheelwright-$VERSION
    cd "$RUNNER_TEMP"
    # Options of curl 7.61 only: that is what containers with glibc 2.28 have.
    curl --fail --location --silent --show-error --proto '=https' --retry 5 --retry-connrefused \
      --max-time 300 --output "$archive" "$RELEASES_URL/v$VERSION/$archive" ||
      fail "could not download $archive from $RELEASES_URL"
    # Nothing of the archive is touched before its sum is known to be right.
    echo "$SHA256 *$archive" | sha256sum --check --status ||
      fail "$archive does not have the SHA-256 $SHA256"
    rm -rf "$folder"
    mkdir "$folder"
    case $archive in
      *.zip) unzip -q "$archive" -d "$folder" ;;
      *) tar -xzf "$archive" -C "$folder" --no-same-owner ;;
    esac
    rm "$archive"
    directory=$PWD/$folder
    ;;
  *) fail "from-source must be true or false, not '$FROM_SOURCE'" ;;
esac

# The runner for Windows reads GITHUB_PATH as Windows paths.
if command -v cygpath >/dev/null; then directory=$(cygpath -w "$directory"); fi
echo "$directory" >>"$GITHUB_PATH"
echo "directory=$directory" >>"$GITHUB_OUTPUT"
echo "wheelrun and wheelwright are in $directory"
