"""Seconds until an arm takes its cup: by one walk back for each step, and by nudging each joint.

python -m benchmarks.arm

A run of 100,000 joints is timed 50 times. All runs that nudging needs are the same, so their time is multiplied, not waited for.
"""

from benchmarks.rounds import CPU, median, one_thread

ROUNDS, RUNS = 5, 50
NEAR = 0.03  # the hand holds the cup


def taken(joints):
    """Return the steps to the cup, the CPU seconds of all walks back, and those of all runs by nudging."""
    from tensorgrad import Tensor
    from tutorial.graphs.arm_arrays import miss, start

    angles, steps = Tensor(start(joints)), 0
    with CPU() as backward:
        while (z := miss(angles)).data > NEAR**2:
            z.backward()
            angles.data, angles.grad, steps = angles.data - 0.2 / joints * angles.grad, None, steps + 1
    with CPU() as forward:
        for _ in range(RUNS):
            miss(angles.data)
    return {"steps": steps, "backward": backward.seconds, "nudging": forward.seconds / RUNS * (joints + 1) * steps}


def main():
    one_thread()
    print("joints    steps  runs by nudging  by nudging, s  by one walk back, s  times as fast")
    for joints in (3, 10, 20, 60, 200, 1_000, 10_000, 100_000):
        taken(joints)  # the first call imports, and fills caches
        found = [taken(joints) for _ in range(ROUNDS)]
        steps, backward, nudging = (median(found, what) for what in ("steps", "backward", "nudging"))
        print(f"{joints:7,}  {steps:6}  {steps * (joints + 1):15,}  {nudging:13.3g}  {backward:19.3g}  {nudging / backward:13.2g}")


if __name__ == "__main__":
    main()
