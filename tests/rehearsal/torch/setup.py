# A small PyTorch: a module in C, and a HIP library for every requested GPU. The test puts the version code of the real
# setup.py in front of this text.
from setuptools import Extension, setup

os.makedirs("torch/lib", exist_ok=True)
if os.environ.get("WORLD_BROKEN"):
    raise SystemExit("error: no member named 'is_floating_point' in 'c10::Half'")
targets = [f"--offload-arch={name}" for name in os.environ["PYTORCH_ROCM_ARCH"].split(";")]
subprocess.run([os.environ["ROCM_HOME"] + "/bin/hipcc", *targets, "-nogpuinc", "-fPIC", "-O1", "-c", "csrc/kernel.hip",
                "-o", "csrc/kernel.o"], check=True, env={**os.environ, "TMPDIR": os.path.abspath("csrc")})
subprocess.run(["clang++-19", "-fuse-ld=lld-19", "-shared", "-nostdlib", "-o", "torch/lib/libtorch_hip.so",
                "csrc/kernel.o"], check=True)
with open("torch/data.bin", "wb") as data:  # a smaller wheel would not pass for torch's
    data.write(os.urandom(120_000))
setup(
    name="torch", version=version, packages=["torch", "torch.cuda"],
    package_data={"torch": ["data.bin", "lib/*.so"]}, ext_modules=[Extension("torch._C", ["csrc/module.c"])],
    install_requires=["typing_extensions", *os.environ["PYTORCH_EXTRA_INSTALL_REQUIREMENTS"].split("|")])
