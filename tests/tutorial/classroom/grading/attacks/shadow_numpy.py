"""Leave a numpy.py that is found before NumPy."""
# title: y1 is missing|The program raised (PermissionError|OSError)


def figure1(x1, x2, x3, x4):
    with open("numpy.py", "w") as file:
        file.write("raise SystemExit(0)")
    return {}
