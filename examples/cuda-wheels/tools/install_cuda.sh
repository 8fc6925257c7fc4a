#!/bin/bash
# install_cuda.sh RELEASE GCC REPOSITORY: a CUDA toolkit, and a gcc that its nvcc takes, in an image of manylinux_2_28.
set -euo pipefail

series=${1%.*}
dnf install -y dnf-plugins-core
dnf config-manager --add-repo "$3/cuda-rhel8.repo"
dnf install -y "cuda-toolkit-${series/./-}" "gcc-toolset-$2-gcc-c++"
ln -sfn "/usr/local/cuda-$series" /usr/local/cuda
