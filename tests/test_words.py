"""The project speaks plain English: wordings that stand for a standard term, or that must be read twice, do not come back."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
# "is no", but not "there is no". Each look behind stands after the letters: a search for letters is 30 times as fast.
IS_NO = "|".join(rf"(?<=\b{verb} no)(?<!there {verb} no)" for verb in ("is", "are", "was", "were", "gives", "knows"))
RETIRED = {  # a wording: what to write instead
    r"\b(going|goes|go|gone|went) backwards?\b": "backward pass",
    r"\bthe way back\b": "backward pass",
    r"\bwork(s|ed)? out\b": "compute",
    r"\bhand(s|ed)? (\w+ )?on\b": "pass",
    r"\b(has|have) spoken\b": "has been processed",
    r"\blets? go of\b": "release",
    r"\bsomebody (holds|waits)\b": "is still referenced",
    r"\bheld against\b": "checked against",
    r"\bwithout a word\b": "silently",
    r"\bwhole numbers?\b": "integer",
    r"\bkinds? of numbers?\b": "dtype",
    r"\barrays? without axes\b": "0-d array",
    r"\bone's own\b": "your own",
    r"\bwhere there (is|are) none\b": "if there is none",
    r"\ba row a function\b": "a row per function",
    r"\.pulls?\b": "vjp",
    r"\bpullbacks?\b": "vjp",
    r"\bfitted\b": "unbroadcast",
    r"\bbehind (its|their) back\b": "after the graph used it",
    rf"no(?:{IS_NO}) (?!longer\b|more than\b|slower\b|faster\b|later\b|larger\b|earlier\b)[a-z]": "is not a",
    r"\bthat nobody\b": "name who acts",
    r"\bis told by\b": "say who tells",
    r"\bwhoever\b": "name who acts",
    r"\bover both\b(?! (ways|calls|passes))": "along both paths",
    r"\bthe ones, then\b": "name them",
    r"\bin place of the output\b": "the array itself, not a copy",
    r"\bno copy of it\b": "the array itself, not a copy",
    r"\bwhat makes of\b": "wraps … as",
    r"\ba mistake to think\b": "The mistake: …, which holds for a belief and for a slip",
}
WITHIN_WORDS = [re.compile(wording.removeprefix(r"\b")) for wording in RETIRED]  # Python finds what begins with letters 30 times as fast
TEXTS = {".py", ".md", ".js", ".css", ".html", ".toml", ".txt"}


def lines():
    """The lines of files that may have a retired wording: a search of a whole file takes a fraction of the time of those of its lines."""
    folders = [ROOT / name for name in ("scalargrad", "tensorgrad", "viz", "tutorial", "tests", "benchmarks", ".ci")]
    for path in (*ROOT.glob("*.*"), *(path for folder in folders for path in folder.rglob("*"))):
        if path.suffix in TEXTS and path != Path(__file__) and not {"node_modules", "built"} & set(path.parts):
            text = path.read_text(encoding="utf-8")
            small = text.lower()
            if any(wording.search(small) for wording in WITHIN_WORDS):
                yield from ((path.relative_to(ROOT), i, line) for i, line in enumerate(text.splitlines(), 1))


def test_no_wording_that_was_retired_comes_back():
    wordings = [(re.compile(wording, re.IGNORECASE), instead) for wording, instead in RETIRED.items()]
    found = [f"{name}:{i}: {line.strip()} ({instead})" for name, i, line in lines() for w, instead in wordings if w.search(line)]
    assert not found, "\n".join(found)
