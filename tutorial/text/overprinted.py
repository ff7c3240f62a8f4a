"""What a terminal shows of a line that was printed over, such as a bar of progress. Knows nothing of cells."""


def overprinted(text):
    r"""Return a text as a terminal shows it: after a carriage return the next characters replace the first ones, \b goes back by one.

    >>> overprinted("10 %\r100 %\nabc\rX\nab\bc")
    '100 %\nXbc\nac'
    """
    if "\r" not in text and "\b" not in text:
        return text
    return "\n".join(map(of_line, text.replace("\r\n", "\n").split("\n")))


def of_line(line):
    shown, place = [], 0
    for character in line:
        if character in "\r\b":
            place = 0 if character == "\r" else max(place - 1, 0)
        else:
            shown[place : place + 1] = [character]
            place += 1
    return "".join(shown)
