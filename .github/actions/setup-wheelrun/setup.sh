#!/usr/bin/env bash
# The one step of this action. Reads its inputs as VERSION, URL, ARCHIVE, SHA256, FROM_SOURCE, SOURCE_DIRECTORY and
# VERIFIER, and what the runner sets: RUNNER_TEMP, GITHUB_PATH, GITHUB_OUTPUT. Takes bash, curl, tar and what comes with them; for a
# wheel, unzip or a Python.
set -euo pipefail

readonly RELEASES=https://github.com/ROCm/wheelwright/releases/download
readonly SETTINGS='settings.wheelrun in matrix/settings.yml'

fail() {
  echo "::error title=setup-wheelrun::$1" >&2
  exit 1
}

machine=$(uname -m)
case $(uname -s)-$machine in
  Linux-x86_64 | Linux-aarch64) platform=linux ;;
  MINGW*-x86_64 | MSYS*-x86_64) platform=windows ;;
  *) fail "wheelrun does not run on $(uname -s) on $machine" ;;
esac

# Sets `package` to the downloaded file.
download() {
  local url=$URL
  [[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "version must look like 1.2.3, without the v of a tag, not '$VERSION'"
  [[ -n $SHA256 ]] || fail "no file for $platform is pinned: put its SHA-256 into digests, under $SETTINGS"
  if [[ -z $url ]]; then
    case $platform in
      linux) url=$RELEASES/v$VERSION/wheelwright-$VERSION-linux-$machine.tar.gz ;;
      windows) url=$RELEASES/v$VERSION/wheelwright-$VERSION-windows-x86_64.zip ;;
    esac
  fi
  package=$RUNNER_TEMP/${url##*/}
  # Options of curl 7.61 only: that is what containers with glibc 2.28 have.
  curl --fail --location --silent --show-error --proto '=https' --retry 5 --retry-connrefused \
    --max-time 300 --output "$package" "$url" || fail "could not download $url"
}

# Builds into ARCHIVE, if it is not there yet, and sets SHA256: what was built here is what is meant. A .zip is built for
# Windows, by a cross compiler.
build() {
  local whole
  [[ $platform == linux ]] || fail "from-source builds on Linux, for Windows too: take the archive of the job wheelrun_windows"
  [[ -z $SHA256 ]] || fail "from-source takes no sha256"
  package=${ARCHIVE:-$RUNNER_TEMP/wheelrun.tar.gz}
  if [[ ! -f $package ]]; then
    [[ -x $SOURCE_DIRECTORY/dev && -d $SOURCE_DIRECTORY/runtime ]] ||
      fail "'$SOURCE_DIRECTORY' does not hold the sources of wheelwright: pin a release, or name the commit to build, by $SETTINGS"
    mkdir -p "$(dirname "$package")"
    whole=$(realpath "$package")
    (cd "$SOURCE_DIRECTORY" && ./dev build-static "$whole") ||
      fail "the sources of wheelwright in '$SOURCE_DIRECTORY' do not compile"
  fi
  SHA256=$(sha256sum <"$package")
  SHA256=${SHA256%% *}
}

# unpack_zip FILE FOLDER
unpack_zip() {
  local python
  if command -v unzip >/dev/null; then
    unzip -q "$1" -d "$2"
    return
  fi
  for python in python3 python /opt/python/cp3*/bin/python; do
    if command -v "$python" >/dev/null; then
      "$python" -m zipfile -e "$1" "$2"
      return
    fi
  done
  fail "there is neither unzip nor a Python to unpack ${1##*/}; pin the archive of the release instead"
}

# Installs what verifies signatures, from the public index by the hashes beside this script.
install_verifier() {
  local requirements=${BASH_SOURCE[0]%/*}/verifier.txt wanted folder=$RUNNER_TEMP/verifier
  wanted=$(sed -n 's/^sigstore==\([^ ]*\).*/\1/p' "$requirements")
  if [[ $(sigstore --version 2>/dev/null) == "sigstore $wanted" ]]; then
    echo "sigstore $wanted is there already"
    return
  fi
  python3 -m venv --clear "$folder/venv" || fail "the verifier needs Python 3.10 or newer with venv"
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    -r "$requirements" || fail "could not install sigstore $wanted by the hashes in verifier.txt; is the index up?"
  # A folder of its own, because the other one has a Python.
  mkdir -p "$folder/bin"
  ln -sf "$folder/venv/bin/sigstore" "$folder/bin/sigstore"
  echo "$folder/bin" >>"$GITHUB_PATH"
  echo "sigstore $wanted is in $folder/bin"
}

if [[ $FROM_SOURCE == true ]]; then
  [[ -z $VERSION$URL ]] || fail "from-source takes neither version nor url"
  build
elif [[ $FROM_SOURCE != false ]]; then
  fail "from-source must be true or false, not '$FROM_SOURCE'"
elif [[ -n $VERSION ]]; then
  [[ -z $ARCHIVE ]] || fail "a version and an archive are two ways to install it; give one"
  download
elif [[ -n $ARCHIVE ]]; then
  [[ -f $ARCHIVE ]] || fail "there is no file $ARCHIVE: take the artifact of the job that builds wheelrun first"
  [[ -n $SHA256 ]] || fail "the job that builds wheelrun has given no sha256; run all jobs again"
  package=$ARCHIVE
else
  fail "give a version, an archive, or from-source: true"
fi

# Nothing of the file is touched before its sum is known to be right.
[[ $SHA256 =~ ^[0-9a-f]{64}$ ]] || fail "sha256 must be 64 lower-case hexadecimal digits, not '$SHA256'"
found=$(sha256sum <"$package")
found=${found%% *}
if [[ $found != "$SHA256" ]]; then
  rm "$package"
  fail "${package##*/} is not what was pinned or built: its SHA-256 is $found, not $SHA256"
fi

if [[ $FROM_SOURCE == true && $package == *.zip ]]; then
  echo "sha256=$SHA256" >>"$GITHUB_OUTPUT"
  echo "$package has wheelrun and wheelwright for Windows; SHA-256: $SHA256"
  exit
fi

folder=$RUNNER_TEMP/wheelrun
rm -rf "$folder"
mkdir -p "$folder"
directory=$folder
case $package in
  *.tar.gz) tar -xzf "$package" -C "$folder" --no-same-owner ;;
  *.zip) unpack_zip "$package" "$folder" ;;
  *.whl)
    unpack_zip "$package" "$folder"
    for directory in "$folder"/*.data/scripts; do :; done
    ;;
  *) fail "${package##*/} is neither a .tar.gz, a .zip nor a .whl" ;;
esac
for program in "$directory"/wheelrun{,.exe}; do
  if [[ -f $program ]]; then break; fi
done
[[ -f $program ]] || fail "${package##*/} holds no wheelrun"
# A zip forgets who may run a file, when Python unpacks it.
chmod +x "$directory"/*
if [[ $FROM_SOURCE == false ]]; then rm "$package"; fi
said=$("$program" --version) || fail "the wheelrun of ${package##*/} does not run here"
echo "$said"
[[ -z $VERSION || $said == "wheelrun $VERSION" ]] || fail "${package##*/} holds $said, not $VERSION: pin what it is under $SETTINGS"

# The runner for Windows reads GITHUB_PATH as Windows paths.
if command -v cygpath >/dev/null; then directory=$(cygpath -w "$directory"); fi
echo "$directory" >>"$GITHUB_PATH"
{
  echo "directory=$directory"
  echo "sha256=$SHA256"
} >>"$GITHUB_OUTPUT"
echo "wheelrun and wheelwright are in $directory; SHA-256 of what was installed: $SHA256"
if [[ ${VERIFIER:-false} == true ]]; then install_verifier; fi
