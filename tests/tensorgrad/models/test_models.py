"""All models without PyTorch: the losses of three steps are those that PyTorch gave, the options, and what they refuse."""

import numpy as np
import pytest

from tensorgrad import models, nn, optim
from tensorgrad.inspection.memory import memory
from tests.each import each
from tests.tensorgrad.models.cases import CASES, TINY, images, tokens
from tests.tensorgrad.models.training import OPTIMISERS, loss_of, losses, weights

FROZEN = {  # the losses before each of three steps, and after them: numbers of PyTorch
    ("mlp", "SGD"): [1.235057470911, 1.200670500984, 1.141131156933, 1.070167216928],
    ("mlp", "Adam"): [1.235057470911, 1.225485378971, 1.216001892031, 1.206611310191],
    ("cnn", "SGD"): [2.596222948686, 2.374103139351, 2.095783992148, 1.81593150441],
    ("cnn", "Adam"): [2.596222948686, 2.514336266196, 2.442257243142, 2.376218957519],
    ("cnn for 28x28", "SGD"): [2.755623009034, 2.195515315364, 2.113589453661, 2.023013096974],
    ("cnn for 28x28", "Adam"): [2.755623009034, 2.400737735109, 2.282869637393, 2.194274682775],
    ("basic blocks", "SGD"): [1.861703421291, 1.508799611531, 1.222168893826, 1.01048496457],
    ("basic blocks", "Adam"): [1.861703421291, 1.675054045736, 1.540331316411, 1.425747322619],
    ("bottlenecks", "SGD"): [2.305680918358, 1.755083510854, 1.2452116398, 0.8800547927799],
    ("bottlenecks", "Adam"): [2.305680918358, 2.016249015274, 1.824578468054, 1.651079040041],
    ("gpt", "SGD"): [1.960107806726, 1.755313676319, 1.7547525275, 1.735786314359],
    ("gpt", "Adam"): [1.960107806726, 1.836016892158, 1.759808519183, 1.714278642365],
    ("gpt without biases", "SGD"): [2.503349779547, 2.306728925144, 2.076022017661, 1.904543029631],
    ("gpt without biases", "Adam"): [2.503349779547, 2.410371261008, 2.327851719082, 2.254595269713],
}


@each("name", CASES)
@each("optimiser", OPTIMISERS)
def test_the_losses_of_three_steps_are_those_of_pytorch(name, optimiser):
    make, _, x, classes = CASES[name]
    model = make(dtype="float64")
    model.load_state_dict(weights(model.state_dict()))
    found = losses(model, x, classes, OPTIMISERS[optimiser][0](model.parameters()))
    np.testing.assert_allclose(found, FROZEN[name, optimiser], rtol=1e-10)


def test_the_same_generator_gives_the_same_network():
    for make, *_ in CASES.values():
        one, same, other = (make(generator=np.random.default_rng(seed)).state_dict() for seed in (0, 0, 1))
        assert all((one[name] == same[name]).all() for name in one)
        assert any((one[name] != other[name]).any() for name in one)


def test_parameters_have_the_dtype_that_was_asked_for():
    for make, _, x, _ in CASES.values():
        model = make(dtype="float64")
        assert {p.dtype for p in model.parameters()} == {np.dtype("float64")} and model(x).dtype == np.float64
        assert {p.dtype for p in make().parameters()} == {np.dtype("float32")}


def test_resnet_starts_as_torchvision_does():
    net = models.resnet20(generator=np.random.default_rng(0))
    conv = net.layer3[1].conv2.weight.data
    assert conv.std() == pytest.approx(np.sqrt(2 / (64 * 9)), rel=0.02) and abs(conv.mean()) < 0.002
    assert (net.layer2[0].bn1.weight.data == 1).all() and not net.layer2[0].bn1.bias.data.any()
    assert np.abs(net.fc.weight.data).max() <= 1 / 8


def test_with_zero_init_residual_each_block_begins_as_its_shortcut():
    for block in (models.BasicBlock, models.Bottleneck):
        net = models.ResNet(block, (2, 1), 3, widths=(2, 3), stem="cifar", zero_init_residual=True, dtype="float64")
        x = np.abs(images(2, 2 * block.expansion, 8))
        np.testing.assert_array_equal(net.layer1[1](x).data, x)


def test_the_stem_of_imagenet_keeps_a_sixteenth_of_the_pixels_and_that_of_cifar_all():
    for stem, size in (("imagenet", 8), ("cifar", 32)):
        net = models.ResNet(models.BasicBlock, (1,), 3, widths=(2,), stem=stem)
        seen = []
        net.layer1.forward = lambda x, forward=net.layer1.forward, seen=seen: seen.append(x.shape) or forward(x)
        net(np.zeros((2, 3, 32, 32)))
        assert seen == [(2, 2, size, size)]


def test_a_resnet_refuses_unknown_options():
    for wrong, message in [
        ({"stem": "mnist"}, "stem='mnist' is unknown; use 'imagenet' or 'cifar'"),
        ({"recompute": True}, "recompute=True is unknown; use None, 'blocks' or 'stages'"),
        ({"widths": (2, 4)}, "blocks=.1, 1, 1. has 3 stages and widths=.2, 4. has 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            models.ResNet(models.BasicBlock, (1, 1, 1), **{"widths": (2, 2, 2), **wrong})


def test_an_mlp_flattens_images_and_needs_two_sizes():
    net = models.MLP((12, 4, 2), dtype="float64")
    x = images(3, 3, 2)
    np.testing.assert_array_equal(net(x).data, net(x.reshape(3, 12)).data)
    with pytest.raises(ValueError, match="MLP: sizes=.4,.; give at least two"):
        models.MLP((4,))


def test_an_mlp_without_biases_has_only_weights():
    net = models.MLP((3, 4, 2), bias=False)
    assert [name for name, _ in net.named_parameters()] == ["layer1.weight", "layer2.weight"]
    assert not net(np.zeros((1, 3))).data.any()


def test_a_cnn_needs_images_that_can_be_halved_twice():
    for size in (2, 30):
        with pytest.raises(ValueError, match=f"CNN: image_size={size}"):
            models.CNN(size)


# GPT


def tiny_gpt(**options):
    return models.GPT(**TINY, generator=np.random.default_rng(5), **options)


def test_a_later_token_does_not_change_earlier_scores():
    net, index = tiny_gpt(dtype="float64"), np.array([[1, 5, 2, 0, 3, 6]])
    scores, other = net(index).data, index.copy()
    other[0, 3] = 4
    changed = np.abs(net(other).data - scores).max(-1)[0] > 0
    assert changed.tolist() == [False, False, False, True, True, True]


def test_tokens_and_scores_share_one_matrix_which_is_counted_once():
    net = tiny_gpt()
    assert net.lm_head.weight is net.transformer.wte.weight
    assert "lm_head.weight" not in dict(net.named_parameters()) and "lm_head.weight" in net.state_dict()
    net.loss(np.array([[1, 2]]), np.array([[2, 3]])).backward()
    unused = net.transformer.wte.weight.grad[5]
    assert unused.any()  # it was never read as a token, so this comes from the scores


def test_gpt_starts_as_gpt_2_does():
    net = models.GPT(64, 8, n_layer=8, n_head=2, n_embd=64, generator=np.random.default_rng(0))
    spread = {name: p.data.std() for name, p in net.named_parameters()}
    assert spread["transformer.wte.weight"] == pytest.approx(0.02, rel=0.05)
    assert spread["transformer.h.0.attn.c_attn.weight"] == pytest.approx(0.02, rel=0.05)
    assert spread["transformer.h.7.mlp.c_proj.weight"] == pytest.approx(0.02 / 4, rel=0.05)
    assert all(not p.data.any() for name, p in net.named_parameters() if name.endswith("bias"))


def test_generate_repeats_with_its_generator_and_reads_the_last_tokens():
    net, start = tiny_gpt(), np.array([[1, 2], [3, 4]])
    draw = lambda seed, **options: net.generate(start, 9, generator=np.random.default_rng(seed), **options)
    assert (draw(0) == draw(0)).all() and (draw(0) != draw(1)).any()
    assert draw(0).shape == (2, 11) and (draw(0)[:, :2] == start).all() and draw(0).max() < 7
    likeliest = draw(0, temperature=0)
    assert (likeliest == draw(1, top_k=1)).all() and (likeliest == draw(1, temperature=1e-6)).all()
    assert (likeliest[:, -1] == net(likeliest[:, -7:-1]).data[:, -1].argmax(-1)).all()
    assert net.training


def test_generate_reads_the_last_tokens_of_a_text_that_is_longer_than_its_block():
    net = tiny_gpt()
    for p in net.parameters():
        p.data = 20 * p.data  # so that the next token depends on those before it
    texts = np.random.default_rng(0).integers(0, 7, (20, 10))
    likeliest = lambda index: net(index).data[:, -1].argmax(-1)
    assert (likeliest(texts[:, :6]) != likeliest(texts[:, -6:])).sum() > 5
    np.testing.assert_array_equal(net.generate(texts, 1, temperature=0)[:, -1], likeliest(texts[:, -6:]))


def test_generate_leaves_the_mode_of_the_network_as_it_was():
    for net in (tiny_gpt(), tiny_gpt().eval()):
        before = net.training
        net.generate(np.array([[1]]), 2)
        assert net.training == before
        with pytest.raises(IndexError):
            net.generate(np.array([[99]]), 2)
        assert {part.training for part in net.modules()} == {before}, "an error leaves another mode"


def test_generate_draws_tokens_by_their_probabilities():
    net = tiny_gpt()
    start = np.zeros((4000, 1), int)
    found = np.bincount(net.generate(start, 1, generator=np.random.default_rng(2))[:, 1], minlength=7) / 4000
    scores = net(start[:1]).data[0, 0].astype(float)
    np.testing.assert_allclose(found, np.exp(scores) / np.exp(scores).sum(), atol=0.03)
    best = net.generate(start, 1, top_k=3, generator=np.random.default_rng(2))[:, 1]
    assert set(best.tolist()) == set(np.argsort(scores)[-3:].tolist())


def test_dropout_acts_in_training_and_not_in_generate():
    nn.seed(1)
    net, x = tiny_gpt(dropout=0.5), np.array([[1, 2, 3]])
    assert (net(x).data != net(x).data).any()
    draw = lambda: net.generate(x, 3, temperature=0)
    assert (draw() == draw()).all() and net.training
    net.eval()
    assert (net(x).data == net(x).data).all()


def test_attention_with_dropout_is_attention_where_nothing_is_dropped():
    net, x = tiny_gpt(dropout=1e-15, dtype="float64"), np.array([[1, 2, 3]])  # not as many as a head has features
    for p in net.parameters():
        p.data = 10 * p.data
    np.testing.assert_allclose(net(x).data, net.eval()(x).data, rtol=1e-12)


def test_gpt_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="GPT: n_head=3 does not divide n_embd=8"):
        models.GPT(7, 6, 1, 3, 8)
    for shape in ((3,), (1, 7)):
        with pytest.raises(ValueError, match="GPT: index has shape .*at most block_size=6"):
            tiny_gpt()(np.zeros(shape, int))
    with pytest.raises(TypeError, match="MLP: sizes=2 is not a list of numbers of features"):
        models.MLP(2, 3)
    with pytest.raises(ValueError, match="generate: temperature=-1"):
        tiny_gpt().generate(np.array([[1]]), 1, temperature=-1)
    for options, message in [
        ({"index": np.array([1])}, r"generate: index has shape \(1,\); \(batch, time\) is needed"),
        ({"index": np.zeros((1, 0), int)}, "at least one token to start from"),
        ({"top_k": 0}, "generate: top_k=0 is smaller than 1"),
        ({"max_new_tokens": -1}, "generate: max_new_tokens=-1 is negative"),
    ]:
        with pytest.raises(ValueError, match=message):
            tiny_gpt().generate(**{"index": np.array([[1]]), "max_new_tokens": 1} | options)


# Training


def overfit(model, x, classes, steps, lr):
    """Return the loss on one batch before and after steps of Adam."""
    found = losses(model, x, classes, optim.Adam(model.parameters(), lr=lr), steps)
    return found[0], found[-1]


def test_each_model_learns_one_batch_by_heart():
    small = models.ResNet(models.BasicBlock, (1, 1), 5, widths=(4, 8), stem="cifar", generator=np.random.default_rng(0))
    before, after = overfit(small, images(8, 3, 8), 5, 25, 0.03)
    assert before > 1 and after < 0.02
    net = models.GPT(**TINY, generator=np.random.default_rng(0))
    before, after = overfit(net, tokens(2, 6, 7), 7, 40, 0.03)
    assert before > 1.5 and after < 0.1


# Memory


@pytest.fixture(scope="module")
def gradients():
    """The gradients of a ResNet, and the bytes that its graph saves, for each way to compute again."""
    found = {}
    for recompute in (None, "blocks", "stages"):
        net = models.ResNet(
            models.Bottleneck, (2, 2), 5, widths=(2, 4), stem="cifar", recompute=recompute, generator=np.random.default_rng(0)
        )
        z = loss_of(net(images(4, 3, 16)), 5)
        saved = memory(z).saved - sum(p.data.nbytes for p in net.parameters())
        z.backward()
        found[recompute] = {name: p.grad for name, p in net.named_parameters()}, saved, net.state_dict()
    return found


@each("recompute", ["blocks", "stages"])
def test_recomputing_gives_the_same_gradients_and_statistics_to_the_bit(gradients, recompute):
    (expected, _, state), (got, _, again) = gradients[None], gradients[recompute]
    assert expected.keys() == got.keys() and all((expected[name] == got[name]).all() for name in expected)
    assert all((state[name] == again[name]).all() for name in state)
    assert again["bn1.num_batches_tracked"] == again["layer2.1.bn3.num_batches_tracked"] == 1


def test_recomputing_saves_only_the_inputs_of_blocks_or_of_stages(gradients):
    saved = {recompute: bytes for recompute, (_, bytes, _) in gradients.items()}
    assert saved["stages"] < 0.7 * saved["blocks"] and saved["blocks"] < 0.4 * saved[None]


class Counted(models.BasicBlock):
    """A block that counts how often it is computed."""

    def forward(self, x):
        self.times = getattr(self, "times", 0) + 1
        return super().forward(x)


@each("recompute, times", [(None, [1, 1, 1]), ("blocks", [2, 2, 2]), ("stages", [3, 3, 2])])
def test_a_stage_that_is_computed_again_computes_all_blocks_but_its_last_a_third_time(recompute, times):
    """So that it saves only the inputs of its blocks meanwhile; the backward pass of the last block begins at once."""
    net = models.ResNet(Counted, (3,), 5, widths=(2,), stem="cifar", recompute=recompute)
    loss_of(net(images(4, 3, 8)), 5).backward()
    assert [block.times for block in net.layer1] == times
