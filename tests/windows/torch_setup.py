# A small PyTorch for Windows: a module in C, and a HIP library for every requested GPU. The test puts the version code
# of the real setup.py in front of this text.
from setuptools import Extension, setup

assert os.environ["VSCMD_ARG_TGT_ARCH"] == "x64" and os.environ["DISTUTILS_USE_SDK"] == "1"
assert os.environ["CC"].endswith("/lib/llvm/bin/clang-cl.exe"), os.environ["CC"]
assert os.path.isfile("torch/lib/libomp140.x86_64.dll")
targets = [f"--offload-arch={name}" for name in os.environ["PYTORCH_ROCM_ARCH"].split(";")]
subprocess.run([os.environ["HIP_CLANG_PATH"] + "/clang++.exe", "-x", "hip", *targets, "-nogpuinc", "-nogpulib", "-O1",
                "--target=x86_64-w64-windows-gnu", "-c", "csrc/kernel.hip", "-o", "csrc/kernel.obj"], check=True)
subprocess.run(["link.exe", "/NOLOGO", "/DLL", "/FORCE:UNRESOLVED", "/OUT:torch/lib/torch_hip.dll", "csrc/kernel.obj"],
               check=True)
subprocess.run(["ninja.exe", "--version"], check=True)
with open("torch/data.bin", "wb") as data:  # a smaller wheel would not pass for torch's
    data.write(os.urandom(120_000))
setup(
    name="torch", version=version, packages=["torch", "torch.cuda"],
    package_data={"torch": ["data.bin", "lib/*.dll"]}, ext_modules=[Extension("torch._C", ["csrc/module.c"])],
    install_requires=["typing_extensions", *os.environ["PYTORCH_EXTRA_INSTALL_REQUIREMENTS"].split("|")])
