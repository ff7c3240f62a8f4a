"""Optimisers and what belongs to them: schedules of the learning rate, clipping of gradients, a report on gradients.

Names, arguments, defaults and numbers are PyTorch's. Write `from tensorgrad import optim`.
"""

from scalargrad.messages.foreign_names import answer, answering
from tensorgrad.optim import lr_scheduler
from tensorgrad.optim.adagrad import Adagrad
from tensorgrad.optim.adam import Adam, AdamW
from tensorgrad.optim.clipping import clip_grad_norm_, clip_grad_value_
from tensorgrad.optim.gradient_report import GradientReport
from tensorgrad.optim.lr_scheduler import *
from tensorgrad.optim.optimiser import Optimiser
from tensorgrad.optim.rmsprop import RMSprop
from tensorgrad.optim.sgd import SGD

# fmt: off
__all__ = [
    "Optimiser", "SGD", "Adam", "AdamW", "RMSprop", "Adagrad",
    *lr_scheduler.__all__,
    "clip_grad_norm_", "clip_grad_value_", "GradientReport",
]
# fmt: on

__getattr__ = answering(
    __name__,
    lr_scheduler.ELSEWHERE
    | {
        "Optimizer": "the base class is Optimiser; a subclass has update(self, options, number, scalar), see help(optim.Optimiser)",
        "RMSProp": "write RMSprop, as in PyTorch",
        "AdaGrad": "write Adagrad, as in PyTorch",
        "Adamax NAdam RAdam Adadelta LBFGS Muon": "the optimisers are SGD, Adam, AdamW, RMSprop and Adagrad",
    },
)
answer(
    lr_scheduler.Schedule,
    {
        "get_lr print_lr": "write schedule.get_last_lr(), a list with the rate of each parameter group",
        "optimiser": "it is called optimizer, as in PyTorch",
    },
)
