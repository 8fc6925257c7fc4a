#!/usr/bin/env bash
# Compiles both programs on Windows, by clang with Microsoft's headers and libraries:
#   native.sh FOLDER
# In the bash of git, on a machine with clang, cmake, ninja and vcpkg, as GitHub's runners are.
set -euo pipefail

folder=$1
triplet=x64-windows-static
vcpkg=${VCPKG_INSTALLATION_ROOT:?is not set: it names the folder of vcpkg}
"$vcpkg/vcpkg" install --triplet $triplet \
  boost-asio boost-beast cxxopts fmt nlohmann-json openssl pugixml yaml-cpp zlib zstd
# Of __builtin_cpu_supports(), which Microsoft's runtime lacks.
builtins=$(clang++ --rtlib=compiler-rt --print-libgcc-file-name)
cmake -S "$(dirname "${BASH_SOURCE[0]}")/../.." -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWHEELWRIGHT_TESTS=OFF \
  -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_MSVC_RUNTIME_LIBRARY=MultiThreaded \
  -DCMAKE_TOOLCHAIN_FILE="$vcpkg/scripts/buildsystems/vcpkg.cmake" -DVCPKG_TARGET_TRIPLET=$triplet \
  -DCMAKE_EXE_LINKER_FLAGS="\"${builtins//\\//}\""
cmake --build "$folder"
