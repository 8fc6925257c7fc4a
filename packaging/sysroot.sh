#!/usr/bin/env bash
# Unpacks the aarch64 libraries that the programs are linked with, from the package sources of this machine:
#   sysroot.sh FOLDER PACKAGE...
# Nothing is installed, and the machine's list of architectures does not change: apt-get uses package lists and a state
# in FOLDER, so the script needs no root privileges. The result is FOLDER/root.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift

if ! grep -qs '^ID=debian$' /etc/os-release; then
  # Some distributions serve other architectures from other servers.
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

# A source without arm64 is not an error here; the second command reports missing packages.
apt-get update || true
apt-get install --download-only "$@"
for package in "$folder"/cache/archives/*.deb; do dpkg-deb --extract "$package" "$folder/root"; done
# Removes 60 MB of lists and packages, which are not needed after unpacking.
rm -rf "${folder:?}"/{state,cache}
