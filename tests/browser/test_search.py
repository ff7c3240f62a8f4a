"""The search of the book: what learners type leads to the right page, which is among the first three."""

import re

import pytest

FIRST = 3
# what is typed: the beginnings of the pages that answer it, c/ for chapters/ and f/ for functions/
QUESTIONS = {
    "step size": "c/descent c/checking-gradients glossary",
    "local minimum": "c/descent c/modules-and-optimisers c/second-derivatives glossary",
    "overfitting": "glossary c/descent c/modules-and-optimisers",
    "dying relu": "c/normalisation-and-residuals c/backward-functions f/relu glossary",
    "why zero grad": "c/descent c/museum-of-broken-engines",
    "vanishing gradient": "c/normalisation-and-residuals c/modules-and-optimisers glossary",
    "what is a tensor": "glossary c/from-numbers-to-arrays",
    "jacobian": "c/backward-functions c/forward-mode c/softmax-max-indices glossary",
    "reset gradients": "c/descent glossary c/museum-of-broken-engines",
    "loss does not go down": "c/descent c/modules-and-optimisers c/museum-of-broken-engines c/checking-gradients",
    "learning rate too high": "c/descent c/modules-and-optimisers",
    "exploding gradients": "c/normalisation-and-residuals c/numerics glossary",
    "nan loss": "c/numerics",
    "chain rule": "c/inductive-chain-rule",
    "backprop": "c/backpropagation-with-a-dictionary",
    "backpropagation algorithm": "c/backpropagation-with-a-dictionary c/order-matters",
    "topological sort": "c/order-matters c/backpropagation-with-a-dictionary glossary",
    "how does autograd work": "c/backpropagation-with-a-dictionary c/the-engine c/your-first-value the-tutorial",
    "softmax gradient": "c/softmax-max-indices f/softmax",
    "cross entropy": "f/cross_entropy c/softmax-max-indices c/numerics",
    "matrix multiplication derivative": "c/from-numbers-to-arrays f/matmul",
    "broadcasting": "c/broadcasting",
    "gradient check": "c/checking-gradients",
    "numerical derivative": "c/checking-gradients c/nudge-and-slope",
    "adam optimizer": "c/modules-and-optimisers glossary",
    "batch norm": "c/normalisation-and-residuals f/batch_norm",
    "skip connection": "c/normalisation-and-residuals c/resnet-50 glossary",
    "transformer": "c/attention",
    "self attention": "c/attention",
    "train a neural network": "c/descent c/modules-and-optimisers",
    "hessian": "c/second-derivatives functions",
    "newton's method": "c/second-derivatives",
    "forward mode": "c/forward-mode",
    "dual numbers": "c/forward-mode glossary",
    "multiple gpus": "c/many-machines on-a-cluster",
    "out of memory": "c/memory less-memory",
    "gradient checkpointing": "c/memory less-memory f/checkpoint",
    "convolution backward": "c/convolution f/conv",
    "in-place operation": "c/museum-of-broken-engines c/the-engine c/memory",
    "partial derivative": "c/inductive-chain-rule glossary c/variables-functions-graphs",
    "what is the difference between partial and total derivative": "c/inductive-chain-rule glossary",
    "why do we need topological order": "c/order-matters glossary",
    "computational graph": "c/variables-functions-graphs glossary",
    "autodiff from scratch": "c/your-first-value c/the-engine",
    "xavier initialization": "c/normalisation-and-residuals glossary f/nn-init",
    "my gradients are all zero": "c/museum-of-broken-engines c/numerics c/normalisation-and-residuals c/checking-gradients",
    "gradient is None": "c/the-engine c/modules-and-optimisers c/memory c/descent",
    "retain_graph": "c/memory c/second-derivatives glossary",
    "positional encoding": "c/attention",
    "padding and stride": "c/convolution glossary",
    "max pooling gradient": "c/convolution f/max_pool",
    "sigmoid": "f/sigmoid c/modules-and-optimisers",
    "log sum exp trick": "c/numerics f/logsumexp glossary",
    "float32 vs float64": "c/numerics c/checking-gradients",
    "relu derivative at 0": "f/relu c/numerics glossary c/backward-functions",
    "saddle point": "c/second-derivatives glossary c/modules-and-optimisers",
    "momentum": "c/modules-and-optimisers glossary",
    "weight decay vs l2": "c/modules-and-optimisers glossary",
    "mini batch": "glossary c/modules-and-optimisers c/many-machines",
    "how to install": "index in-your-editor what-you-can-do a-run-on-cifar-10",
    "use my own pytorch model": "c/your-own-model",
    "recursionerror maximum recursion depth exceeded": "c/backpropagation-with-a-dictionary c/order-matters",
    "vjp vs jvp": "c/forward-mode glossary c/backward-functions",
    "einsum": "f/einsum",
    "transpose matrix gradient": "c/from-numbers-to-arrays f/transpose glossary c/backward-functions",
    "memory leak": "c/memory",
    "language model": "c/attention glossary",
    "teach a class": "teachers grade-a-class",
    "exercises": "exercises in-your-editor",
    "linear layer": "glossary c/modules-and-optimisers f/nn-linear f/linear",
    "argmax not differentiable": "c/softmax-max-indices f/argmax glossary",
    "gradient clipping": "functions c/normalisation-and-residuals c/modules-and-optimisers glossary",
    "image classification": "c/resnet-50 c/convolution a-run-on-cifar-10 c/descent",
    "cuda": "how-fast c/many-machines c/resnet-50",
    "tangent line": "c/nudge-and-slope glossary",
    "derivative definition": "c/nudge-and-slope glossary",
    "sum over paths": "c/inductive-chain-rule glossary",
    "masked attention": "c/attention glossary",
    "bias gradient": "c/broadcasting",
    "closure": "c/your-first-value glossary",
    "gradient of a sum": "c/backward-functions f/sum c/contributions-add",
    "why add gradients instead of overwrite": "c/contributions-add c/museum-of-broken-engines c/inductive-chain-rule c/your-first-value",
    "how many parameters does resnet have": "c/resnet-50",
    "temperature in softmax": "c/attention glossary c/softmax-max-indices",
    "compare with pytorch": "how-fast c/your-own-model f/tool-from_torch in-your-editor c/checking-gradients",
    "visualize computation graph": "what-you-can-do c/variables-functions-graphs f/tool-draw c/your-own-model",
    "stack overflow in backward": "c/backpropagation-with-a-dictionary c/order-matters",
    "what is a leaf": "glossary c/variables-functions-graphs c/the-engine",
    "normalization layer": "c/normalisation-and-residuals f/layer_norm glossary",
    "directional derivative": "c/forward-mode glossary",
    "floating point error": "c/numerics c/checking-gradients",
    "gradient accumulation": "glossary less-memory c/descent c/your-first-value c/contributions-add",
    "stochastic gradient descent": "c/modules-and-optimisers c/descent glossary",
    "robot arm": "c/nudge-and-slope the-race-again c/forward-mode",
    "shared weights": "c/convolution",
    "generate text": "c/attention",
    "save model weights": "f/saving c/modules-and-optimisers a-run-on-cifar-10 on-a-cluster",
    "eval mode batchnorm": "c/normalisation-and-residuals c/resnet-50",
    "diamond graph wrong gradient": "c/museum-of-broken-engines c/order-matters c/contributions-add c/checking-gradients",
    "cost of backward pass": "c/backpropagation-with-a-dictionary c/nudge-and-slope how-fast c/forward-mode c/resnet-50",
    "slow training": "c/modules-and-optimisers how-fast c/resnet-50",
    "l1 regularization": "glossary c/modules-and-optimisers f/l1_loss",
    "one hot encoding": "f/one_hot c/softmax-max-indices",
    "second derivative of relu": "c/second-derivatives c/numerics",
    "weight sharing": "c/convolution",
    "gradeint descent": "c/descent c/nudge-and-slope glossary",
    "backpropogation": "c/backpropagation-with-a-dictionary c/order-matters",
    "jacobain": "c/backward-functions c/forward-mode glossary f/tool-jacobian",
    "tensor shape error": "c/broadcasting glossary c/from-numbers-to-arrays c/backward-functions",
    "what does detach do": "c/your-own-model c/checking-gradients c/the-engine glossary functions",
    "requires_grad false": "c/the-engine c/your-own-model glossary less-memory",
    "neuron": "c/descent c/modules-and-optimisers",
    "how to choose learning rate": "c/descent c/modules-and-optimisers glossary",
    "gradient vanishes in deep network": "c/normalisation-and-residuals glossary c/modules-and-optimisers",
    "negative log likelihood": "f/nll_loss c/numerics",
    "sum vs mean loss": "c/many-machines c/broadcasting functions c/modules-and-optimisers",
    "why is softmax full jacobian": "c/softmax-max-indices",
    "dag": "c/variables-functions-graphs glossary",
    "lstm": "f/lstm f/nn-recurrent functions",
    "embedding lookup": "glossary c/softmax-max-indices f/embedding c/attention",
    "finite difference step size": "c/checking-gradients",
    "micrograd": "c/your-first-value index c/other-engines c/museum-of-broken-engines",
    "tape vs graph": "c/other-engines glossary",
    "why topological": "c/order-matters glossary",
    "nan gradient": "c/numerics",
    "product rule": "c/backward-functions c/inductive-chain-rule c/your-first-value c/museum-of-broken-engines c/from-numbers-to-arrays",
    "checkpoint": "f/tool-checkpoint glossary c/memory less-memory",
    "multiple outputs": "c/forward-mode c/backward-functions",
    "two losses": "c/descent c/memory c/other-engines c/contributions-add",
    "cifar": "a-run-on-cifar-10",
    "how to compute derivative of a program": "c/nudge-and-slope c/variables-functions-graphs c/inductive-chain-rule c/your-first-value",
    "speed up training": "c/modules-and-optimisers how-fast c/many-machines",
    "model does not learn": "c/your-own-model c/modules-and-optimisers c/normalisation-and-residuals",
    "gradient explodes": "glossary c/normalisation-and-residuals",
    "dropout": "f/dropout f/nn-dropout glossary",
    "unbroadcast": "glossary c/broadcasting",
    "what is an epoch": "glossary c/modules-and-optimisers",
    "loss function": "glossary c/descent",
    "relu": "f/relu c/descent glossary",
    "momentum vs adam": "c/modules-and-optimisers",
    "image filter": "c/convolution glossary",
    "max pool backward": "c/convolution f/max_pool",
    "deterministic training": "c/many-machines on-a-cluster",
    "compute hessian vector product": "c/second-derivatives f/tool-hvp",
    "custom function": "c/your-own-model f/tool-function what-you-can-do c/checking-gradients f/tool",
    "why is my gradient wrong": "c/checking-gradients c/museum-of-broken-engines c/your-own-model",
    "notebook": "what-you-can-do in-your-editor index",
    "depth first search": "glossary c/order-matters",
    "breadth first": "glossary c/order-matters",
    "reverse mode": "glossary c/forward-mode c/backpropagation-with-a-dictionary",
    "why is my loss nan after a few steps": "c/numerics",
    "swish": "f/silu",
    "gradient of norm at zero": "c/numerics c/checking-gradients f/norm",
    "difference between value and tensor": "c/from-numbers-to-arrays c/the-engine",
    "test set accuracy changes with batch": "c/resnet-50 c/normalisation-and-residuals",
    "tensorflow": "c/other-engines",
}


@pytest.fixture
def found(site, visit):
    """found(question) is the addresses of the results, best first."""
    page = visit(site / "search.html", "?q=slope").page
    page.locator("#search-results li").first.wait_for()
    results = "question => Search._performSearch(question).reverse().map(([page, , anchor]) => page + anchor)"
    return lambda question: page.evaluate(results, question)


def test_what_learners_type_leads_to_the_right_page(found):
    missed = {}
    for question, right in QUESTIONS.items():
        first = [address.replace("chapters/", "c/").replace("functions/", "f/") for address in found(question)[:FIRST]]
        if not any(address.startswith(tuple(right.split())) for address in first):
            missed[question] = first
    assert len(missed) <= 0.05 * len(QUESTIONS), missed


def test_the_order_of_words_spelling_and_empty_words_change_nothing(found):
    for one, other in {"optimizer": "optimiser", "batch normalization": "batch normalisation", "what is a kink": "kink"}.items():
        assert found(one)[:FIRST] == found(other)[:FIRST]


def test_the_search_finds_a_word_of_a_chapter(site, visit):
    page = visit(site / "search.html", "?q=ancestor").page
    page.locator("#search-results li a", has_text="Variables, functions, graphs").first.wait_for()


def test_the_search_shows_the_chapter_on_a_function_before_its_page(site, visit):
    results = visit(site / "search.html", "?q=softmax").page.locator("#search-results li a")
    results.first.wait_for()
    links = results.evaluate_all("links => links.map(a => a.getAttribute('href').split('#')[0].split('?')[0])")
    assert links[0].startswith("chapters/softmax") and "functions/softmax.html" in links


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("chain rule", "chapters/inductive-chain-rule.html"),  # all words stand in its title
        ("logit", "chapters/numerics.html"),  # which introduces the word
        ("np.concatenate", "functions/concatenate.html"),
        ("nn.Conv2d", "functions/nn-convolution.html"),
    ],
)
def test_the_search_shows_first_what_a_learner_looks_for(site, visit, question, first):
    results = visit(site / "search.html", f"?q={question}").page.locator("#search-results li a")
    results.first.wait_for()
    assert re.split("[?#]", results.first.get_attribute("href"))[0] == first


def test_the_search_finds_the_section_of_a_module(site, visit):
    page = visit(site / "search.html", "?q=Conv2d").page
    page.locator("#search-results li a[href$='functions/nn-convolution.html#name-nn-conv2d']").wait_for()
