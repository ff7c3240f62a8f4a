"""In a notebook a recording shows its drawing, pages show in frames, and lines are those of cells."""

import pytest

from tests.viz.test_notebook import session

pytest.importorskip("torch")
pytestmark = pytest.mark.torch


def test_a_program_in_a_notebook_is_drawn_played_and_reported_on_with_the_lines_of_its_cells():
    out = session("""
shell.run_cell("import torch, viz; import torch.nn.functional as F; from tensorgrad import from_torch", store_history=True)
shell.run_cell('''
w = torch.arange(6.0).view(2, 3).requires_grad_()
def loss():
    att = F.softmax(w, dim=1)
    return (att.detach() * w).sum()
''', store_history=True)
bundle = shown("seen = from_torch(loss)\\nseen")
assert "recording of 3 calls" in bundle["text/plain"] and ">w<" in bundle["image/svg+xml"]
for page in ("viz.play(seen)", "viz.explore(seen)", "viz.lifetimes(seen)"):
    assert shown(page)["text/html"].startswith("<i"), page  # a frame, or an image
shell.run_cell("print(seen.report()); print(seen.check())")
""")
    assert "mul (In[2]:4)" in out and ".detach() (In[2]:4), where the gradient stops" in out
