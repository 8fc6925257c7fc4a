import ragged_ops
import torch


def test_rows_that_differ_in_their_length():
    assert ragged_ops.row_sums([1.0, 2.0, 3.0, 4.0], [1, 1, 4]) == [1.0, 0, 9.0]


def test_the_same_on_a_gpu():
    values = torch.tensor([1.0, 2.0, 3.0, 4.0], device="cuda")
    sums = ragged_ops.row_sums(values, torch.tensor([1, 1, 4], device="cuda"))
    assert [float(each) for each in sums] == [1.0, 0.0, 9.0]
