def children(edges, x):
    return {end for start, end in edges if start == x}


# ---
def children(edges, x):
    return set(y for _, y in filter(lambda edge: edge[0] == x, edges))
