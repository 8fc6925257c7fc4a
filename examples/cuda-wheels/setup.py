"""One project for each CUDA and PyTorch, because PyPI takes no wheels of one version that differ in more than the Python.

Workflows say which: RAGGED_OPS_PROJECT and RAGGED_OPS_TORCH. Without PyTorch the wheel has no device code, and computes
on the processor.
"""

import os

from setuptools import setup

try:
    from torch.utils.cpp_extension import BuildExtension, CUDAExtension

    device_code = {
        "ext_modules": [CUDAExtension("ragged_ops._C", ["csrc/ragged.cu"])],
        "cmdclass": {"build_ext": BuildExtension},
    }
except ImportError:
    device_code = {}

torch = os.environ.get("RAGGED_OPS_TORCH")
setup(
    name=os.environ.get("RAGGED_OPS_PROJECT", "ragged-ops"),
    version="1.4.0",
    description="Sums of rows that differ in their length",
    packages=["ragged_ops"],
    python_requires=">=3.10",
    install_requires=[f"torch=={torch}.*" if torch else "torch"],
    **device_code,
)
