"""Say what a text that cannot be read probably means: names of other libraries, keywords of Python, signs of mathematics."""

import keyword
import os
import re

OTHER_NAMES = {  # of functions, elsewhere
    "ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh", "sgn": "sign", "power": "pow", "logistic": "sigmoid",
}  # fmt: skip
SIGNS = {"·": "2*x", "×": "2*x", "⋅": "2*x", "−": "x - 1, with the - of the keyboard", "–": "x - 1, with the - of the keyboard", "÷": "x/2"}
SIGNS |= {"√": "sqrt(x)", "|": "abs(x)", "“": "no quotation marks", "π": "pi"}
POWERS = "\N{SUPERSCRIPT TWO}\N{SUPERSCRIPT THREE}\N{SUPERSCRIPT ONE}⁰⁴-⁹"


def on_syntax(text, functions):
    """Return what to write instead of a text that Python cannot parse, as "; write ...", or "". `functions` are the names of the table."""
    words = re.findall(r"[^\W\d]\w*", text)
    for word in words:
        if keyword.iskeyword(word):
            return f"; {reserved(word)}"
    for word, argument in re.findall(r"\b([^\W\d]\w*)\s+([\w.]+)", text):
        if (function := OTHER_NAMES.get(word, word)) in functions:
            return f"; write {function}({argument})"
    if re.search(f"[{POWERS}]", text):
        return "; write x**2 for a power"
    for sign, instead in SIGNS.items():
        if sign in text:
            return f"; instead of {sign} write {instead}"
    if re.search(r"[\d)]\s*[A-Za-z_(]|[A-Za-z_]\s+[A-Za-z_\d]", text):
        return "; write 2*x for a product"
    return ""


def reserved(word):
    """Say that a keyword of Python cannot be a name."""
    return f"{word} is a keyword of Python and cannot be a name; write for example {word}_"


def on_value(text, texts):
    """Say what to write instead of a word without a value, for example "; ...", or "". `texts` are all words behind the expression."""
    if re.search(r"[-+*/()'\"]", text) or os.path.exists(text):  # a shell puts the names of files for *
        return "; put the whole expression in double quotes"
    if re.search(r"\.(html|svg|png|gv|mmd|json)$", text):
        return f"; write -o {text} to name a file"
    return "; write no spaces around =" if any(other[:1] == "=" or other[-1:] == "=" for other in texts) else ""


def on_attribute(attribute, written, functions):
    """Say what to write instead of np.sin or x.sin."""
    name = OTHER_NAMES.get(attribute, attribute)
    if name in functions:
        return f"write {name}(...) instead of {written}(...)"
    if name in ("pi", "e"):
        return f"write {name} instead of {written}"
    return f"a name cannot contain a dot; write a function or a variable instead of {written}"


def on_function(name, functions):
    """Say what to write instead of a function that is not in the table."""
    if name in OTHER_NAMES and OTHER_NAMES[name] in functions:
        return f"write {OTHER_NAMES[name]}(...) instead of {name}(...)"
    return f"unknown function {name}; the functions are {', '.join(sorted(functions))}"
