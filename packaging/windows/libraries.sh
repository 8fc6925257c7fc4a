#!/usr/bin/env bash
# Builds the libraries that the programs are linked with, for Windows, from the sources of this Debian's packages:
#   libraries.sh FOLDER
# Nothing is installed: apt-get works on lists and a state of its own in FOLDER. The result is FOLDER/root. What is in
# headers alone is linked to the machine's own; zlib is a package of Debian's for Windows.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if ! grep -qs '^ID=debian$' /etc/os-release; then
  echo "libraries for Windows are built from Debian's sources, and this machine is not Debian" >&2
  exit 1
fi

rm -rf "${folder:?}"/{state,cache,sources,root}
mkdir -p "$folder"/state/lists/partial "$folder"/cache/archives/partial "$folder"/sources "$folder"/root/include
: >"$folder/state/status"

# The machine's own servers of packages, asked for sources. Of the two lists, a system has one.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
{ cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null || true; } |
  sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\(http[^ ]*\) .*/\2/p' | { grep /debian || true; } | sort -u |
  while read -r server; do
    case $server in
      *security*) echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $server $release-security main" ;;
      *) echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $server $release main" ;;
    esac
  done >"$folder/state/sources.list"
cat >"$folder/apt.conf" <<CONF
APT::Sandbox::User "$(id -un)";
Dir::Etc::SourceList "$folder/state/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$folder/state";
Dir::State::status "$folder/state/status";
Dir::Cache "$folder/cache";
CONF
export APT_CONFIG=$folder/apt.conf
apt-get update
cd "$folder/sources"
# The newest version whose files the servers have: some keep those of updates late, or not at all.
for name in fmtlib yaml-cpp pugixml libzstd openssl catch2; do
  for version in $(apt-cache showsrc --only-source "$name" | sed -n 's/^Version: //p' | sort -rV) none; do
    if [[ $version == none ]]; then
      echo "there are no sources of $name" >&2
      exit 1
    fi
    if apt-get source "$name=$version"; then break; fi
  done
done

# What was compiled on this machine before is not compiled again.
launcher=()
if command -v ccache >/dev/null; then
  export CCACHE_BASEDIR=$folder CCACHE_NOHASHDIR=1
  launcher=(ccache)
fi

# by_cmake NAME FOLDER ARGUMENT...
by_cmake() {
  local name=$1 source=$2
  shift 2
  cmake -S "$source" -B "$folder/sources/build-$name" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$here/windows.cmake" -DCMAKE_INSTALL_PREFIX="$folder/root" -DBUILD_SHARED_LIBS=OFF \
    ${launcher[@]+-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache} "$@"
  ninja -C "$folder/sources/build-$name" install
}
by_cmake fmt fmtlib-*/ -DFMT_DOC=OFF -DFMT_TEST=OFF
by_cmake yaml-cpp yaml-cpp-*/ -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF
by_cmake pugixml pugixml-*/
by_cmake zstd libzstd-*/build/cmake -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF
by_cmake catch2 catch2-*/ -DCATCH_BUILD_TESTING=OFF -DCATCH_INSTALL_DOCS=OFF -DCATCH_BUILD_STATIC_LIBRARY=ON
for headers in boost cxxopts.hpp nlohmann; do ln -s "/usr/include/$headers" "$folder/root/include/$headers"; done
cp -r /usr/lib/cmake/cxxopts /usr/share/cmake/nlohmann_json "$folder/root/lib/cmake/"

cd openssl-*/
# Algorithms that no server of today asks for are left out: half of the time.
# Its own folder for configurations has to be one that only administrators can write into.
./Configure mingw64 --cross-compile-prefix=x86_64-w64-mingw32- --prefix='C:/Program Files/OpenSSL' \
  --openssldir='C:/Program Files/Common Files/SSL' no-shared no-tests no-engine no-dso no-legacy \
  no-aria no-bf no-blake2 no-camellia no-cast no-cmp no-cms no-comp no-ct no-dtls no-ec2m no-gost no-idea no-mdc2 \
  no-psk no-rc2 no-rc4 no-seed no-siphash no-sm2 no-sm3 no-sm4 no-srp no-srtp no-ts no-whirlpool
make -j"$(nproc)" build_generated
make -j"$(nproc)" CC="${launcher[*]} x86_64-w64-mingw32-gcc" libcrypto.a libssl.a
cp libcrypto.a libssl.a "$folder/root/lib/"
cp -r include/openssl "$folder/root/include/"
# What is built is all that is needed.
rm -rf "${folder:?}"/{state,cache,sources}
