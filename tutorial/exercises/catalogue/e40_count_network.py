"""The size of a network

A network for images is given as a list of layers. Each layer, `(inputs, outputs, kernel, stride)`, is a convolution without a bias, and
after it a batch norm. For each pair of an input channel and an output channel the convolution has `kernel` × `kernel` weights. Its result
has the height and the width of its input, divided by the stride. A batch norm has a weight and a bias for each channel.

`count(layers, side)` returns a tuple of two integers: the number of all parameters, and the number of multiplications that the
convolutions need for the forward pass of one image, which is `side` × `side` pixels. Each weight is multiplied once for each pixel of the
result. For example, `count([(3, 8, 3, 1), (8, 16, 3, 2)], 8)` is `(1416, 32256)`.
"""
# meta: unit=E minutes=12 difficulty=2 chapter=resnet-50 call=count


def count(layers, side):
    # the next layer gets an image of side // stride pixels in height and width
    # BEGIN SOLUTION
    parameters = multiplications = 0
    for inputs, outputs, kernel, stride in layers:
        weights = inputs * outputs * kernel**2
        # ~ kernel-once M68: weights = inputs * outputs * kernel
        # ~ one-input M68: weights = outputs * kernel**2
        # ~ one-output M68: weights = inputs * kernel**2
        # ~ channels-added M67: weights = (inputs + outputs) * kernel**2
        # ~ each-pixel M91: weights = inputs * outputs * side**2
        side //= stride
        # ~ never-smaller M77: side = side
        # ~ stride-squared M68: side //= stride**2
        parameters += weights + 2 * outputs
        # ~ norm-once M68: parameters += weights + outputs
        # ~ with-bias M67: parameters += weights + 3 * outputs
        # ~ no-norm M42: parameters += weights
        # ~ norm-of-inputs M01: parameters += weights + 2 * inputs
        # ~ norm-of-pixels M100: parameters += weights + 2 * outputs * side**2
        # ~ a-weight-for-each-pixel M100: parameters += weights * side**2 + 2 * outputs
        # ~ last-parameters M03: parameters = weights + 2 * outputs
        multiplications += weights * side**2
        # ~ side-once M68: multiplications += weights * side
        # ~ pixels-before M09: multiplications += weights * (side * stride) ** 2
        # ~ once-a-weight M77: multiplications += weights
        # ~ norm-multiplied M42: multiplications += (weights + 2 * outputs) * side**2
        # ~ both-passes M41: multiplications += 3 * weights * side**2
        # ~ last-multiplications M03: multiplications = weights * side**2
    return parameters, multiplications
    # ~ exchanged M54: return multiplications, parameters
    # ~ only-parameters M12: return parameters
    # ~ only-multiplications M12: return multiplications
    # END SOLUTION


# CHECK
from tutorial.exercises.probes.probe import Probe

HINTS = (
    "Count one layer by hand first: 3 channels become 8, by kernels of 3 × 3. How many kernels are there, and how many weights has each?",
    "The parameters do not depend on the size of the image. The multiplications do: each weight is used at each pixel of the result.",
    "Walk through the layers, and keep the side of the image that the next one gets: each stride divides it. "
    "Add the weights and two numbers for each output channel to the parameters, and the weights times the pixels of the result to the "
    "work.",
)
PREDICT = (
    "A convolution maps 4 channels to 8, by kernels of 3 × 3. How many weights has it?",
    288,
    {
        36: "You left the 8 channels of the result out. Each has kernels of its own.",
        72: "You left the 4 channels of the input out. Each result adds up a kernel for each of them.",
        96: "A kernel of 3 × 3 has 9 weights.",
        296: "You added a bias for each channel. Only weights were asked.",
    },
)
SEEN = "For {layers} and a side of {side}, {which} was {got}, expected {expected}. "
SAID = {
    "kernel-once": SEEN + "A kernel of 3 × 3 has 9 weights. You took its side alone.",
    "one-input": SEEN + "That has one kernel for each output channel. There is one for each pair of an input and an output channel.",
    "one-output": SEEN + "That has one kernel for each input channel. There is one for each pair of an input and an output channel.",
    "channels-added": SEEN + "You added the numbers of channels. There is a kernel for each pair, so they are multiplied.",
    "each-pixel": SEEN + "That has a weight for each pixel of the image. A kernel has its own size, whatever the image has.",
    "never-smaller": SEEN + "Your images keep their size. A layer with stride 2 halves the height and the width of what the next one gets.",
    "stride-squared": SEEN + "You divided the side by the square of the stride. The side is divided once, and so is the height.",
    "norm-once": SEEN + "A batch norm has two numbers for each channel: a weight and a bias. You counted 1.",
    "with-bias": SEEN + "You counted a bias for each output channel. These convolutions have none, but each batch norm has one.",
    "no-norm": SEEN + "You left out the batch norms. Each has 2 parameters for each channel.",
    "norm-of-inputs": SEEN + "The batch norm stands after the convolution, so its channels are the outputs. You took the inputs.",
    "norm-of-pixels": SEEN + "That has a weight and a bias of the batch norm for each pixel. They are shared by all pixels of a channel.",
    "a-weight-for-each-pixel": SEEN + "You counted a weight once for each pixel at which it is used. It is one parameter.",
    "last-parameters": SEEN + "Those are the parameters of the last layer alone: = replaced what += should add up.",
    "last-multiplications": SEEN + "Those are the multiplications of the last layer alone: = replaced what += should add up.",
    "side-once": SEEN + "That takes one row of pixels. An image has as many rows as columns, so the side stands there twice.",
    "pixels-before": SEEN + "You took the pixels of the input. A weight is multiplied once for each pixel of the result.",
    "once-a-weight": SEEN + "You counted each weight once. It is used at each pixel of the result.",
    "norm-multiplied": SEEN + "You counted the parameters of the batch norms, too. Only the convolutions are asked for.",
    "both-passes": SEEN + "That is three times as much: you counted the backward pass, too. Only the forward pass is asked for.",
    "exchanged": SEEN + "That is {other}. The parameters come first, then the multiplications.",
    "only-parameters": "You gave {got}, the parameters alone. A tuple of two numbers is asked for.",
    "only-multiplications": "You gave {got}, the multiplications alone. A tuple of two numbers is asked for.",
}
ASKED = {
    **dict.fromkeys(
        SAID, "Take one layer, 3 channels to 8, kernel 3, stride 2, for an image of 8 × 8. What has it, and what does it cost?"
    ),
    "only-parameters only-multiplications": "What does a function return that gives two results?",
}


def probes(random):
    """Yield one layer, the example, a bottleneck, and random networks whose images become smaller."""
    yield probe([(3, 8, 3, 1)], 4, "one layer")
    yield probe([(3, 8, 3, 2)], 8, "one layer with a stride")
    yield probe([(3, 8, 3, 1), (8, 16, 3, 2)], 8, "the example")
    yield probe([(64, 16, 1, 1), (16, 16, 3, 1), (16, 64, 1, 1)], 4, "a bottleneck")
    for _ in range(3):
        channels, layers = 3, []
        for _ in range(3):
            layers.append((channels, random.choice((4, 6, 8, 10)), random.choice((1, 3, 5)), random.choice((1, 2))))
            channels = layers[-1][1]
        yield probe(layers, 32, "three layers")


def probe(layers, side, about):
    which = {"": "the answer", "[0]": "the number of parameters", "[1]": "the number of multiplications"}
    other = {"[0]": "the number of multiplications", "[1]": "the number of parameters"}
    return Probe((layers, side), {"layers": layers, "side": side, "which": which, "other": other}, about=about)
