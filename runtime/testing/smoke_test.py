"""Whether the torch that is installed works on each GPU that it sees. `wheelrun test --level smoke` runs it by pytest."""

import importlib
import importlib.metadata
import importlib.util

import pytest
import torch

DEVICES = [f"cuda:{index}" for index in range(torch.cuda.device_count())]
COMPANIONS = ["torchaudio", "torchvision", "triton"]


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


@pytest.mark.parametrize("device", DEVICES)
def test_products_of_matrices(device):
    matrix = torch.ones(64, 64, device=device)
    assert torch.equal((matrix @ matrix).cpu(), torch.full((64, 64), 64.0))


@pytest.mark.parametrize("device", DEVICES)
def test_gradients(device):
    weight = torch.ones(16, device=device, requires_grad=True)
    (weight * weight).sum().backward()
    assert torch.equal(weight.grad.cpu(), torch.full((16,), 2.0))


@pytest.mark.parametrize("name", COMPANIONS)
def test_companions_can_be_imported(name):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    importlib.import_module(name)
