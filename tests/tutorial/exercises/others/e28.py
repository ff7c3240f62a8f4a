"""Other right answers."""

from collections import Counter, deque


def by_counting(z, inputs, partial):
    seen, ahead, waiting = {z}, deque([z]), Counter()
    while ahead:
        y = ahead.popleft()
        waiting.update(inputs[y])
        for x in inputs[y]:
            if x not in seen:
                seen.add(x)
                ahead.append(x)
    found, ready = dict.fromkeys(seen, 0) | {z: 1}, deque([z])
    while ready:  # the oldest first
        y = ready.popleft()
        for x in inputs[y]:
            found[x] += partial[y, x] * found[y]
            waiting[x] -= 1
            if not waiting[x]:
                ready.append(x)
    return found


# ---


def by_counting(z, inputs, partial):
    stack, needed = [z], set()
    while stack:
        y = stack.pop()
        if y not in needed:
            needed.add(y)
            stack.extend(inputs[y])
    pending = {x: sum(inputs[y].count(x) for y in needed if x in inputs[y]) for x in needed} if len(needed) < 50 else None
    if pending is None:
        pending = dict.fromkeys(needed, 0)
        for y in needed:
            for x in inputs[y]:
                pending[x] += 1
    total = dict.fromkeys(inputs, 0)  # 0 for the variables that z does not depend on
    total[z] = 1
    ready = {z}
    while ready:
        y = ready.pop()
        for x in set(inputs[y]):
            uses = inputs[y].count(x)
            total[x] += uses * total[y] * partial[y, x]
            pending[x] -= uses
            if pending[x] == 0:
                ready.add(x)
    return total
