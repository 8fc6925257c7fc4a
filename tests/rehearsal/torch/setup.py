# PyTorch in small: a module in C, and a library of HIP for every GPU that it is told to build for. What stands in front
# of this is the real one's way to its version.
from setuptools import Extension, setup

os.makedirs("torch/lib", exist_ok=True)
if os.environ.get("WORLD_BROKEN"):
    raise SystemExit("error: no member named 'is_floating_point' in 'c10::Half'")
targets = [f"--offload-arch={name}" for name in os.environ["PYTORCH_ROCM_ARCH"].split(";")]
subprocess.run([os.environ["ROCM_HOME"] + "/bin/hipcc", *targets, "-fPIC", "-O1", "-c", "csrc/kernel.hip", "-o",
                "csrc/kernel.o"], check=True, env={**os.environ, "TMPDIR": os.path.abspath("csrc")})
subprocess.run(["clang++-19", "-fuse-ld=lld-19", "-shared", "-nostdlib", "-o", "torch/lib/libtorch_hip.so",
                "csrc/kernel.o"], check=True)
with open("torch/data.bin", "wb") as data:  # a smaller wheel would not pass for torch's
    data.write(os.urandom(120_000))
setup(
    name="torch", version=version, packages=["torch", "torch.cuda"],
    package_data={"torch": ["data.bin", "lib/*.so"]}, ext_modules=[Extension("torch._C", ["csrc/module.c"])],
    install_requires=["typing_extensions", *os.environ["PYTORCH_EXTRA_INSTALL_REQUIREMENTS"].split("|")])
