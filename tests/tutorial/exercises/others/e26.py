"""Other right answers."""


def parameters(module):
    ahead, found = [module], {}
    while ahead:
        x = ahead.pop()
        if isinstance(x, Parameter):
            found.setdefault(id(x), x)
        else:
            parts = x if isinstance(x, list) else vars(x).values() if isinstance(x, Module) else ()
            ahead += [*parts][::-1]
    return list(found.values())


# ---


def parameters(module):
    def walk(x):
        if isinstance(x, Parameter):
            yield x
        for part in x if isinstance(x, list) else vars(x).values() if isinstance(x, Module) else []:
            yield from walk(part)

    return list(dict.fromkeys(walk(module)))
