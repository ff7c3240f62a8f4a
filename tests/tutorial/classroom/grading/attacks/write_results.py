"""Write a file of results where a grader may look for it."""
# title: y1 is missing|The program raised (PermissionError|OSError)
# from: landlock


def figure1(x1, x2, x3, x4):
    with open("/tmp/gradsteps-attack", "w") as file:
        file.write('{"score": 100}')
    return {}
