"""Cases of schedules, whose rates and momenta at every step PyTorch gave: `python -m tests.tensorgrad.optim.rates` writes them anew.

An optimiser has two groups, with the rates 0.5 and 0.2. The rates are kept in rates.json, for machines without PyTorch.
"""

import json
import warnings
from pathlib import Path

FILE = Path(__file__).with_name("rates.json")
STEPS = 12
RATES = 0.5, 0.2
CASES = [
    ("StepLR", {"step_size": 3}),
    ("StepLR", {"step_size": 4, "gamma": 0.5}),
    ("MultiStepLR", {"milestones": [2, 5, 5]}),
    ("MultiStepLR", {"milestones": [7, 4], "gamma": 0.5}),
    ("ExponentialLR", {"gamma": 0.9}),
    ("CosineAnnealingLR", {"T_max": 5}),
    ("CosineAnnealingLR", {"T_max": 5, "eta_min": 0.1}),
    ("LinearLR", {}),
    ("LinearLR", {"start_factor": 0.1, "end_factor": 0.9, "total_iters": 6}),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 12}),
    ("OneCycleLR", {"max_lr": [1.0, 0.3], "epochs": 3, "steps_per_epoch": 4, "pct_start": 0.5, "div_factor": 10, "final_div_factor": 100}),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 15, "three_phase": True, "anneal_strategy": "linear"}),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 14, "cycle_momentum": False}),
    ("OneCycleLR", {"max_lr": 1.0, "total_steps": 12, "base_momentum": 0.7, "max_momentum": 0.8}),
]
SEQUENCE = "three, one after the other"  # the case of SequentialLR


def name_of(name, options, kind):
    return f"{name}({', '.join(f'{key}={x}' for key, x in options.items())}) of {kind}"


def followed(schedule, optimiser):
    """Return [[rate, momentum or betas of each group]] in each of the steps."""
    found = []
    for i in range(STEPS):
        if i:
            schedule.step()
        found.append([x for group in optimiser.param_groups for x in (group["lr"], *group.get("betas", (group.get("momentum"),)))])
    return found


def sequence(package, optimiser):
    """Return a warm-up, half a cosine and a decay, one after the other."""
    parts = [package.LinearLR(optimiser, total_iters=3), package.CosineAnnealingLR(optimiser, 4), package.ExponentialLR(optimiser, 0.5)]
    return package.SequentialLR(optimiser, parts, milestones=[3, 7])


def optimiser_of(package, kind, tensor):
    """Return an optimiser of ours, or of PyTorch."""
    options = {"momentum": 0.9} if kind == "SGD" else {"betas": (0.8, 0.95)}
    return getattr(package, kind)([{"params": [tensor()], "lr": lr} for lr in RATES], **options)


def theirs():
    """Return {case: numbers} from PyTorch."""
    import torch

    new = lambda kind: optimiser_of(torch.optim, kind, lambda: torch.ones(1, requires_grad=True))
    found = {}
    for kind in ("SGD", "Adam"):
        for name, options in CASES:
            found[name_of(name, options, kind)] = followed(getattr(torch.optim.lr_scheduler, name)(one := new(kind), **options), one)
        found[f"{SEQUENCE}, of {kind}"] = followed(sequence(torch.optim.lr_scheduler, one := new(kind)), one)
    return found


def frozen():
    """Return {case: numbers} from the file."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def write():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that PyTorch's optimisers have not stepped
        found = theirs()
    rounded = {case: [[float(f"{x:.13g}") for x in step] for step in steps] for case, steps in found.items()}
    FILE.write_text("{\n" + ",\n".join(f"{json.dumps(case)}: {json.dumps(steps)}" for case, steps in rounded.items()) + "\n}\n", "utf-8")


if __name__ == "__main__":
    write()
