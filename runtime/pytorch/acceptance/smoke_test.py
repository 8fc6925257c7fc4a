"""Whether the torch that is installed works on each GPU that it sees. `wheelrun test --level smoke` runs it by pytest."""

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys

import pytest
import torch

DEVICES = [f"cuda:{index}" for index in range(torch.cuda.device_count())]
COMPANIONS = ["torchaudio", "torchvision", "triton"]
HALF = ["float16", "bfloat16"]


def close(result, expected, tolerance=1e-3):
    """Whether a result of the GPU is what the processor says, with room for another order of additions."""
    return torch.allclose(result.cpu().float(), expected.float(), rtol=tolerance, atol=tolerance)


def steps(*shape):
    """Small numbers, the same everywhere."""
    count = 1
    for length in shape:
        count *= length
    return (torch.arange(count, dtype=torch.float32) % 7 - 3).reshape(*shape) / 4


def definite(size):
    """A symmetric matrix whose eigenvalues are positive."""
    rows = steps(size, size)
    return rows @ rows.T + size * torch.eye(size)


def test_torch_is_what_its_wheel_says():
    assert torch.__version__ == importlib.metadata.version("torch")


def test_torch_is_built_for_rocm():
    assert torch.version.hip


def test_a_gpu_is_available():
    assert torch.cuda.is_available()
    assert DEVICES


@pytest.mark.parametrize("device", DEVICES)
def test_tensors_go_there_and_back(device):
    numbers = torch.arange(1024, dtype=torch.float32)
    assert torch.equal(numbers.to(device).cpu(), numbers)


@pytest.mark.parametrize("device", DEVICES)
def test_sums(device):
    ones = torch.ones(1024, device=device)
    assert torch.equal((ones + ones).cpu(), torch.full((1024,), 2.0))


# BLAS: rocBLAS and hipBLASLt.


@pytest.mark.parametrize("device", DEVICES)
def test_products_of_matrices(device):
    left, right = steps(48, 64), steps(64, 32)
    assert close(left.to(device) @ right.to(device), left @ right)


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("device", DEVICES)
def test_products_in_half_precision(device, dtype):
    kind = getattr(torch, dtype)
    left, right = steps(64, 64), steps(64, 64)
    # Sums of quarters of small whole numbers: what is rounded is the result alone.
    assert close(left.to(device).to(kind) @ right.to(device).to(kind), left @ right, tolerance=1e-2)


@pytest.mark.parametrize("device", DEVICES)
def test_products_of_batches_and_with_a_sum(device):
    left, right, added = steps(4, 16, 8), steps(4, 8, 16), steps(16, 16)
    assert close(torch.bmm(left.to(device), right.to(device)), torch.bmm(left, right))
    assert close(torch.addmm(added.to(device), left[0].to(device), right[0].to(device)),
                 torch.addmm(added, left[0], right[0]))


# LAPACK: hipSOLVER or MAGMA on a GPU, the host's library without one.


@pytest.mark.parametrize("device", ["cpu", *DEVICES])
def test_equations_are_solved(device):
    matrix, wanted = definite(16), steps(16, 2)
    assert close(torch.linalg.solve(matrix.to(device), (matrix @ wanted).to(device)), wanted)


@pytest.mark.parametrize("device", ["cpu", *DEVICES])
def test_matrices_are_factored(device):
    matrix = definite(16)
    there = matrix.to(device)
    lower = torch.linalg.cholesky(there)
    assert close(lower @ lower.T, matrix)
    orthogonal, upper = torch.linalg.qr(there)
    assert close(orthogonal @ upper, matrix)


@pytest.mark.parametrize("device", ["cpu", *DEVICES])
def test_eigenvalues_and_singular_values(device):
    matrix = definite(16)
    there = matrix.to(device)
    values, vectors = torch.linalg.eigh(there)
    assert close((vectors * values) @ vectors.T, matrix)
    # Of a symmetric matrix with positive eigenvalues they are the same.
    assert close(torch.linalg.svdvals(there).flip(0), values.cpu())


@pytest.mark.parametrize("device", DEVICES)
def test_gradients(device):
    weight = torch.ones(16, device=device, requires_grad=True)
    (weight * weight).sum().backward()
    assert torch.equal(weight.grad.cpu(), torch.full((16,), 2.0))


# MIOpen.


@pytest.mark.parametrize("device", DEVICES)
def test_convolutions(device):
    pictures, kernels = steps(2, 3, 16, 16), steps(4, 3, 3, 3)
    expected = torch.nn.functional.conv2d(pictures, kernels, padding=1)
    assert close(torch.nn.functional.conv2d(pictures.to(device), kernels.to(device), padding=1), expected)


@pytest.mark.parametrize("device", DEVICES)
def test_gradients_of_convolutions(device):
    results = []
    for where in ("cpu", device):
        kernels = steps(4, 3, 3, 3).to(where).requires_grad_()
        torch.nn.functional.conv2d(steps(2, 3, 16, 16).to(where), kernels).sum().backward()
        results.append(kernels.grad)
    assert close(results[1], results[0])


# The compiler: torch.compile, and Triton where it is.


def backends():
    """What can run here: inductor takes Triton for a GPU, and Triton a compiler of C for what calls its kernels."""
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("clang") or shutil.which("cc")
    return ["aot_eager", *(["inductor"] if importlib.util.find_spec("triton") and compiler else [])]


@pytest.mark.parametrize("backend", backends())
@pytest.mark.parametrize("device", DEVICES)
def test_a_function_is_compiled(device, backend):
    dynamo = importlib.import_module("torch._dynamo")
    if not dynamo.is_dynamo_supported():
        pytest.skip("this torch has no torch.compile for this Python")

    def twice_and_one(numbers):
        return numbers * 2 + 1

    numbers = steps(256)
    assert close(torch.compile(twice_and_one, backend=backend)(numbers.to(device)), twice_and_one(numbers))


# Each holds memory and has run a kernel before either goes on.
TWO_AT_ONCE = """
import sys, torch
ones = torch.ones(64, 64, device=sys.argv[1])
assert (ones @ ones).cpu()[0, 0].item() == 64
print("ready", flush=True)
sys.stdin.readline()
assert (ones @ ones).cpu()[63, 63].item() == 64
"""


@pytest.mark.parametrize("device", DEVICES)
def test_two_processes_share_a_gpu(device):
    command = [sys.executable, "-c", TWO_AT_ONCE, device]
    both = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        assert ["ready" in process.stdout.readline() for process in both] == [True, True]
        for process in both:
            process.communicate("go\n", timeout=120)
        assert [process.returncode for process in both] == [0, 0]
    finally:
        for process in both:
            process.kill()
            process.wait()


@pytest.mark.parametrize("name", COMPANIONS)
def test_companions_can_be_imported(name):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    importlib.import_module(name)
