"""What the chapter "Your own model" prints is what PyTorch's programs give now, and its four bugs are found."""

import re
from pathlib import Path

import pytest

from tutorial.cli.commands.torch import BUGS, drawing_of, source_of, write_bugs
from tutorial.cli.main import main
from tutorial.reading.chapter import find

pytestmark = pytest.mark.torch

CHAPTER = find("your-own-model").markdown
OUTPUTS = re.findall(r"```sh\npython -m tutorial torch bugs/(\S+)( --check)?\n```\n\n```text\n(.*?)```", CHAPTER, re.S)
NUMBER = re.compile(r"\d+\.\d+(?:e-?\d+)?")


@pytest.mark.parametrize(("name", "check", "shown"), OUTPUTS, ids=[name for name, *_ in OUTPUTS])
def test_what_the_chapter_shows_is_printed_now(name, check, shown, tmp_path, capsys):
    write_bugs(tmp_path)
    assert main(["torch", str(tmp_path / name), *check.split(), "--report"]) == bool(check)
    printed, shown = (text.replace("\n    ", " ") for text in (capsys.readouterr().out, shown))  # the chapter breaks long lines
    assert not [line for line in shown.splitlines() if NUMBER.sub("#", line) not in NUMBER.sub("#", printed)]
    given = {line: NUMBER.findall(line) for line in printed.splitlines()}
    for line in shown.splitlines():
        found = next(numbers for other, numbers in given.items() if NUMBER.sub("#", line) == NUMBER.sub("#", other))
        assert [float(x) for x in NUMBER.findall(line)] == pytest.approx([float(x) for x in found], rel=0.01, abs=1e-6), line


def test_the_drawing_of_the_gate_is_that_of_its_program(tmp_path):
    torch = pytest.importorskip("torch")
    import viz
    from tensorgrad import from_torch

    write_bugs(tmp_path)  # so that Python finds its lines
    held: dict = {"__name__": "gate"}
    exec(compile(source_of("gate.py"), str(tmp_path / "gate.py"), "exec"), held)
    with torch.random.fork_rng():
        seen = from_torch(held["loss"])
    svg = viz.draw(seen.z, theme="auto", depth=1).svg  # a drawing of `seen` has the remark that answers the chapter's question
    texts = lambda svg: re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert texts(svg) == texts(drawing_of("gate")) and "around" in "".join(texts(svg))


def test_each_program_has_its_output_or_its_drawing_in_the_chapter():
    assert {name for name, *_ in OUTPUTS} | {"gate.py"} == set(BUGS)
    assert all(f'source_of("{Path(name).name}")' in CHAPTER for name in BUGS)
