"""A small map of a large graph: every variable is a point, z is at the right. Knows only the edges."""

from collections import defaultdict

WIDTH, HEIGHT, MARGIN = 600, 66, 8
MOST_LINES = 3000  # more lines would be a grey area and a large file


def overview(graph, edges):
    """Return the places of all variables on the map, and the edges as one SVG path: {width, height, points: [[x, y]], path}.

    `edges` are [(place of x, place of y, slot)]. Columns are the longest distances to z. Within a column, variables
    stand near their children. The path is empty if there are too many edges to tell apart.
    """
    place = {v: i for i, v in enumerate(graph.variables)}
    column = [graph.distance[v] for v in graph.variables]
    members, taken = defaultdict(list), defaultdict(list)
    for v in graph.order:
        members[graph.distance[v]].append(place[v])
    for i, j, _ in edges:
        taken[i].append(j)
    far, height = max(column, default=0), [0.5] * len(place)
    for c in range(1, far + 1):
        mean = {i: sum(height[j] for j in taken[i]) / len(taken[i]) for i in members[c]}
        for n, i in enumerate(sorted(members[c], key=lambda i: (mean[i], i))):
            height[i] = (n + 0.5) / len(members[c])
    across = lambda i: WIDTH - MARGIN - (WIDTH - 2 * MARGIN) * column[i] / max(far, 1)
    points = [[round(across(i), 1), round(MARGIN + (HEIGHT - 2 * MARGIN) * h, 1)] for i, h in enumerate(height)]
    pairs = dict.fromkeys((i, j) for i, j, _ in edges)
    lines = [f"M{points[i][0]} {points[i][1]}L{points[j][0]} {points[j][1]}" for i, j in pairs]
    return {"width": WIDTH, "height": HEIGHT, "points": points, "path": "".join(lines) if len(lines) <= MOST_LINES else ""}
