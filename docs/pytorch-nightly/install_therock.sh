#!/bin/bash
# Installs ROCm from Python wheels into a CI image of PyTorch, in place of the classic packages. It belongs into
# .ci/docker/common/; README.md beside this file tells where it is called.
#
# Reads THEROCK_NIGHTLY_INDEX_URL, an index of one GPU family. Leaves /opt/rocm, where scripts look for it, and
# /etc/profile.d/rocm-sdk.sh, which shells in the image read to find it.
set -euo pipefail

# An empty index would fall back to the public one, where a package of the same name holds the name's place.
if [[ -z ${THEROCK_NIGHTLY_INDEX_URL-} ]]; then
  echo "THEROCK_NIGHTLY_INDEX_URL is empty: which index are the wheels from?" >&2
  exit 1
fi

python3 -m pip install --no-cache-dir --pre --index-url "$THEROCK_NIGHTLY_INDEX_URL" 'rocm[libraries,devel]'

root=$(rocm-sdk path --root)
bin=$(rocm-sdk path --bin)
cmake=$(rocm-sdk path --cmake)
for folder in "$root" "$bin" "$cmake"; do
  if [[ ! -d $folder ]]; then
    echo "rocm-sdk names '$folder', which is no folder" >&2
    exit 1
  fi
done

rm -rf /opt/rocm
ln -s "$root" /opt/rocm

cat >/etc/profile.d/rocm-sdk.sh <<END
# Where ROCm is: written by install_therock.sh.
export ROCM_HOME=$(printf %q "$root")
export ROCM_PATH=$(printf %q "$root")
export HIP_DEVICE_LIB_PATH=$(printf %q "$root/lib/llvm/amdgcn/bitcode")
export CMAKE_PREFIX_PATH=$(printf %q "$cmake")\${CMAKE_PREFIX_PATH:+:\$CMAKE_PREFIX_PATH}
export PATH=$(printf %q "$bin"):\$PATH
END

# shellcheck source=/dev/null
. /etc/profile.d/rocm-sdk.sh
rocm-sdk version
