"""Other right answers."""


def figure1(x1, x2, x3, x4):
    computed = {"z": 1}
    computed["y2"] = computed["z"] * 1
    computed["y1"] = computed["z"] * x1
    computed["x4"] = computed["y1"] + computed["y2"] * (x4 + x4)
    computed["x3"] = computed["x2"] = computed["y1"]
    computed["x1"] = computed["z"] * (x1 + x2 + x3 + x4) + computed["y1"]
    del computed["z"]
    return computed


# ---


def figure1(x1, x2, x3, x4):
    return dict(x4=2 * x4 + x1, x3=x1, x2=x1, x1=x1 + x1 + x2 + x3 + x4, y2=1, y1=x1)
