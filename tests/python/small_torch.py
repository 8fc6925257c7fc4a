"""Small tensors: the module torch/_small.py of the PyTorch that tests build. It computes in plain Python what the smoke
tests use; WORLD_WRONG names a function with wrong results on a GPU."""

import math
import os
from types import SimpleNamespace


def _count(shape):
    return math.prod(shape)


def _spoilt(name, result):
    """Returns a wrong result on a GPU if WORLD_WRONG names the function."""
    if result.device != "cpu" and os.environ.get("WORLD_WRONG") == name:
        result.values = [value + 1 for value in result.values]
    return result


class Tensor:
    def __init__(self, values, shape, device="cpu"):
        self.values, self.shape, self.device = values, tuple(shape), device
        self.grad, self.backward_of = None, None

    @property
    def rows(self):
        if len(self.shape) < 2:
            return self.values
        width = _count(self.shape[1:])
        return [Tensor(self.values[i * width:(i + 1) * width], self.shape[1:], self.device).rows
                for i in range(self.shape[0])]

    @property
    def T(self):
        height, width = self.shape
        return Tensor([self.values[r * width + c] for c in range(width) for r in range(height)], (width, height),
                      self.device)

    def to(self, where):
        """Changes the device; types are ignored."""
        device = where if where.split(":")[0] in ("cpu", "cuda") else self.device
        return Tensor(self.values, self.shape, device)

    def cpu(self):
        return self.to("cpu")

    def float(self):
        return self

    def reshape(self, *shape):
        assert _count(shape) == len(self.values)
        return Tensor(self.values, shape, self.device)

    def requires_grad_(self):
        return self

    def item(self):
        (value,) = self.values
        return value

    def flip(self, axis):
        assert axis == 0 and len(self.shape) == 1
        return Tensor(self.values[::-1], self.shape, self.device)

    def __getitem__(self, index):
        at = index if isinstance(index, tuple) else (index,)
        rest = self.shape[len(at):]
        start = 0
        for place, length in zip(at, self.shape, strict=False):
            start = start * length + place
        return Tensor(self.values[start * _count(rest):(start + 1) * _count(rest)], rest, self.device)

    def _with(self, other, function):
        """Tensors as nested lists of numbers."""
        if not isinstance(other, Tensor):
            return Tensor([function(value, other) for value in self.values], self.shape, self.device)
        assert self.device == other.device
        length = len(other.values)
        return Tensor([function(value, other.values[i % length]) for i, value in enumerate(self.values)], self.shape,
                      self.device)

    def __add__(self, other):
        return self._with(other, lambda a, b: _add(a, b))

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        product = self._with(other, lambda a, b: a * b)
        if other is self:
            product.backward_of = lambda: self._set_grad([2 * value for value in self.values])
        return product

    __rmul__ = __mul__

    def __mod__(self, other):
        return self._with(other, lambda a, b: a % b)

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    def __matmul__(self, other):
        assert self.device == other.device and self.shape[1] == other.shape[0]
        columns = other.T.rows
        values = [sum(a * b for a, b in zip(row, column, strict=True)) for row in self.rows for column in columns]
        return _spoilt("matmul", Tensor(values, (self.shape[0], other.shape[1]), self.device))

    def sum(self):
        total = Tensor([sum(self.values)], (), self.device)
        total.backward_of = self.backward_of
        return total

    def backward(self):
        self.backward_of()

    def _set_grad(self, values):
        self.grad = Tensor(values, self.shape, self.device)


def _add(a, b):
    from . import _C
    return _C.add(a, b)


def ones(*shape, device="cpu", requires_grad=False):
    del requires_grad
    return Tensor([1.0] * _count(shape), shape, device)


def full(shape, value):
    return Tensor([value] * _count(shape), shape)


def eye(size):
    return Tensor([float(r == c) for r in range(size) for c in range(size)], (size, size))


def arange(count, dtype=None):
    del dtype
    return Tensor([float(i) for i in range(count)], (count,))


def equal(a, b):
    return a.shape == b.shape and a.values == b.values


def allclose(a, b, rtol, atol):
    assert a.device == b.device == "cpu"
    return a.shape == b.shape and all(abs(x - y) <= atol + rtol * abs(y)
                                      for x, y in zip(a.values, b.values, strict=True))


def bmm(a, b):
    parts = [a[i] @ b[i] for i in range(a.shape[0])]
    return Tensor([value for part in parts for value in part.values], (len(parts), *parts[0].shape), a.device)


def addmm(added, a, b):
    return added + a @ b


def compile(function, backend):
    assert backend in ("aot_eager", "inductor")
    return lambda *arguments: _spoilt("compile", function(*arguments))


def _conv2d(pictures, kernels, padding=0):
    assert pictures.device == kernels.device
    count, channels, height, width = pictures.shape
    made, _, kernel_height, kernel_width = kernels.shape
    out_height, out_width = height + 2 * padding - kernel_height + 1, width + 2 * padding - kernel_width + 1

    def pixel(n, c, y, x):
        inside = 0 <= y < height and 0 <= x < width
        return pictures.values[((n * channels + c) * height + y) * width + x] if inside else 0.0

    taps = [(c, y, x) for c in range(channels) for y in range(kernel_height) for x in range(kernel_width)]
    places = [(n, y - padding, x - padding) for n in range(count) for y in range(out_height) for x in range(out_width)]
    windows = [[pixel(n, c, top + y, left + x) for c, y, x in taps] for n, top, left in places]
    values = []
    area = out_height * out_width
    for n in range(count):
        for m in range(made):
            kernel = kernels.values[m * len(taps):(m + 1) * len(taps)]
            values += [sum(a * b for a, b in zip(window, kernel, strict=True))
                       for window in windows[n * area:(n + 1) * area]]
    result = Tensor(values, (count, made, out_height, out_width), pictures.device)
    result.backward_of = lambda: kernels._set_grad([sum(column) for column in zip(*windows, strict=True)] * made)
    return _spoilt("conv2d", result)


def _solve(matrix, right):
    rows = [[*row, *more] for row, more in zip(matrix.rows, right.rows, strict=True)]
    size = len(rows)
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return _spoilt("solve", Tensor([value for row in rows for value in row[size:]], right.shape, right.device))


def _cholesky(matrix):
    rows, size = matrix.rows, matrix.shape[0]
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = rows[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = math.sqrt(rest) if i == j else rest / lower[j][j]
    return Tensor([value for row in lower for value in row], matrix.shape, matrix.device)


def _qr(matrix):
    basis = []
    for column in matrix.T.rows:
        for vector in basis:
            part = sum(a * b for a, b in zip(vector, column, strict=True))
            column = [a - part * b for a, b in zip(column, vector, strict=True)]
        length = math.sqrt(sum(value * value for value in column))
        basis.append([value / length for value in column])
    orthogonal = Tensor([value for row in basis for value in row], matrix.shape, matrix.device).T
    return orthogonal, orthogonal.T @ matrix


def _eigh(matrix):
    """Jacobi's method."""
    rows, size = [list(row) for row in matrix.rows], matrix.shape[0]
    vectors = [[float(i == j) for j in range(size)] for i in range(size)]
    for _ in range(12):
        for p in range(size):
            for q in range(p + 1, size):
                if abs(rows[p][q]) < 1e-12:
                    continue
                angle = 0.5 * math.atan2(2 * rows[p][q], rows[q][q] - rows[p][p])
                c, s = math.cos(angle), math.sin(angle)
                for row in (*rows, *vectors):
                    row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                rows[p], rows[q] = ([c * a - s * b for a, b in zip(rows[p], rows[q], strict=True)],
                                    [s * a + c * b for a, b in zip(rows[p], rows[q], strict=True)])
    order = sorted(range(size), key=lambda i: rows[i][i])
    return (Tensor([rows[i][i] for i in order], (size,), matrix.device),
            Tensor([row[i] for row in vectors for i in order], matrix.shape, matrix.device))


def _svdvals(matrix):
    """The decomposition of a symmetric matrix with positive eigenvalues."""
    return _eigh(matrix)[0].flip(0)


nn = SimpleNamespace(functional=SimpleNamespace(conv2d=_conv2d))
linalg = SimpleNamespace(solve=_solve, cholesky=_cholesky, qr=_qr, eigh=_eigh, svdvals=_svdvals)
