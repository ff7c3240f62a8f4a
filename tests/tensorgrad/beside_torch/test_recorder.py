"""A program of PyTorch runs unchanged, and our gradients are PyTorch's."""

import subprocess
import sys
import textwrap

import pytest

torch = pytest.importorskip("torch")

import tensorgrad as tg  # noqa: E402
from tensorgrad import from_torch  # noqa: E402
from tests.tensorgrad.beside_torch.programs import classifier  # noqa: E402

pytestmark = pytest.mark.torch


def test_variables_are_called_as_the_program_calls_them():
    seen = from_torch(classifier())
    assert {x.name for _, x in seen.leaves} == {"conv.weight", "conv.bias", "bn.weight", "bn.bias", "fc.weight", "fc.bias"}
    assert [v.node.scope for v in seen.calls[0].results] == [("conv",)]
    assert [call.name for call in seen.calls[:3]] == ["conv2d", "batch_norm", "relu"]


def test_the_check_names_a_function_of_the_user_whose_backward_is_wrong():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, G):
            (x,) = ctx.saved_tensors
            return 2 * G * x**2

    w = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    found = str(tg.check(from_torch(lambda: Cube.apply(w).sum()).z))
    assert found.startswith("Cube: the contribution of") and "0.666667 times what is expected: is a factor wrong?" in found


def test_the_example_of_its_docstring_runs():
    example = textwrap.dedent("\n".join(line for line in from_torch.__doc__.splitlines() if line.startswith(" " * 8)))
    names = {"torch": torch, "from_torch": from_torch}
    exec(example, names)
    assert names["w"].grad is None and names["seen"].leaves[0][1].grad.tolist() == [2, 4]


def test_a_program_that_calls_no_recorder_imports_no_other_library():
    modules = "import sys, tensorgrad, tensorgrad.beside_autograd, tensorgrad.beside_jax, viz, tutorial.cli.main"
    program = f"{modules}; print({{'torch', 'jax', 'autograd'}} & {{*sys.modules}})"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "set()\n"
