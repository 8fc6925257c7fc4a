#!/usr/bin/env bash
# Unpacks the libraries that the programs are linked with, for aarch64, from the package sources of this machine:
#   sysroot.sh FOLDER PACKAGE...
# They are installed nowhere, and the machine's own list of architectures stays as it is: apt-get works on lists and a
# state of its own in FOLDER, for which nobody has to be root. The result is FOLDER/root.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift

if ! grep -qs '^ID=debian$' /etc/os-release; then
  # Others keep the packages of other architectures on other servers.
  echo "libraries for aarch64 are taken from Debian's packages, and this machine is not Debian" >&2
  exit 1
fi

rm -rf "${folder:?}"/{state,cache,root}
mkdir -p "$folder"/state/lists/partial "$folder"/cache/archives/partial "$folder/root"
: >"$folder/state/status"
cat >"$folder/apt.conf" <<CONF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Get::Assume-Yes "true";
APT::Install-Recommends "false";
APT::Sandbox::User "$(id -un)";
Dir::State "$folder/state";
Dir::State::status "$folder/state/status";
Dir::Cache "$folder/cache";
CONF
export APT_CONFIG=$folder/apt.conf

# A source that knows nothing of arm64 is no hindrance; that a package is missing is said by the second command.
apt-get update || true
apt-get install --download-only "$@"
for package in "$folder"/cache/archives/*.deb; do dpkg-deb --extract "$package" "$folder/root"; done
# What is unpacked is all that is needed: 60 MB of lists and packages go.
rm -rf "${folder:?}"/{state,cache}
