"""Scripts and style sheets without comments and spaces, which are a quarter of them. Strings and patterns stay as they are.

The known minifiers for Python (rjsmin, jsmin) do not read a template inside a template, which our scripts have.
"""

import re

STRING = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
QUIET = re.compile(rf"(?P<comment>//.*)|(?P<string>{STRING})|(?P<space>[ \t]+)|(?P<line>\s*\n\s*)|(?P<other>[\w$]+|.)")
PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
BEFORE_A_PATTERN = set("(,=:[!&|?{};>\n")  # elsewhere a / divides
JOINS = re.compile(r"[\w$][\w$]|\+\+|--")  # two tokens that need the space between them


def lean_script(text):
    r"""Return a script without comments and without spaces that only people need.

    >>> lean_script("const a = 1 + +b; // the sum\n  say(`${a  + ' x '} y`, / z/);")
    "const a=1+ +b;\nsay(`${a  + ' x '} y`,/ z/);"
    """
    found, i, gap = [], 0, ""
    while i < len(text):
        last = found[-1][-1] if found else "\n"
        if text[i] == "`":
            token, end = text[i : (end := template_end(text, i))], end
        elif text[i] == "/" and text[i : i + 2] != "//" and last in BEFORE_A_PATTERN and (pattern := PATTERN.match(text, i)):
            token, end = pattern[0], pattern.end()
        else:
            match = QUIET.match(text, i)
            token, end = match[0], match.end()
            if match.lastgroup in ("comment", "space", "line"):
                i, gap = end, "\n" if match.lastgroup == "line" or gap == "\n" else " " if match.lastgroup == "space" else gap
                continue
        if gap == "\n" and found or (gap == " " and JOINS.fullmatch(last + token[0])):
            found.append(gap)
        found.append(token)
        i, gap = end, ""
    return "".join(found)


def template_end(text, start):
    """Return the place after the template that starts here. The expressions in it may hold templates and strings."""
    i, depths = start + 1, [0]  # for each open template, the braces that are open in its expression; 0: in its text
    while depths:
        letter = text[i]
        i += 2 if letter == "\\" else 1
        if depths[-1] == 0:
            if letter == "`":
                depths.pop()
            elif letter == "$" and text[i] == "{":
                depths[-1], i = 1, i + 1
        elif letter == "`":
            depths.append(0)
        elif letter in "\"'":
            i = text.index(letter, i) + 1
        else:
            depths[-1] += {"{": 1, "}": -1}.get(letter, 0)
    return i


def lean_style(text):
    """Return a style sheet without comments and without spaces that only people need.

    >>> lean_style("a :hover { color: red; margin: 0 1px; } /* red */")
    'a :hover{color:red;margin:0 1px}'
    """
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" ?([{};]) ?", r"\1", text)
    return re.sub(r"(?<=[,:]) ", "", text).replace(";}", "}").strip()
