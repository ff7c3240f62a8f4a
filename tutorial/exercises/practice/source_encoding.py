"""Decode the file of a program as Python does: as UTF-8, or in the encoding that a comment in its first two lines names."""

import codecs
import io
import re
import tokenize

UTF8 = ("utf-8", "utf-8-sig")
OF_BYTES = re.compile(r"ascii|iso8859-\d+|cp\d+|mac-\w+|koi8-\w|euc_\w+|shift_jis\w*|gb\w+|big5\w*")  # others are slow to read, or no text
COOKIE = re.compile(r"(coding[:=][ \t]*)[-\w.]+")


def decoded(content: bytes) -> str:
    """Return the text of a program. A comment that names another encoding names UTF-8 in it, so that the text can be written again.

    Raises ValueError if the bytes are not text in this encoding, or if it is none of the usual ones. The message says what the file is.

    >>> decoded("# coding: latin-1\\nname = 'Zoë'".encode("latin-1"))
    "# coding: utf-8\\nname = 'Zoë'"
    """
    named = "utf-8"
    try:
        named = tokenize.detect_encoding(io.BytesIO(content).readline)[0]
        encoding = codecs.lookup(named).name
        if encoding in UTF8:
            return universal(content.decode("utf-8-sig"))
        if OF_BYTES.fullmatch(encoding):
            return COOKIE.sub(r"\1utf-8", universal(content.decode(encoding)), count=1)
    except UnicodeDecodeError:
        raise ValueError(f"is not text in {named.upper()}; save it as UTF-8") from None
    except SyntaxError as wrong:
        unknown = str(wrong).startswith("unknown encoding")
        raise ValueError(
            f"{'names an encoding that Python does not know' if unknown else 'is not text in UTF-8'}; save it as UTF-8"
        ) from None
    raise ValueError(f"has the encoding {named[:40]}; save it as UTF-8")


def universal(text):
    """Return a text whose lines end as Python's do."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
