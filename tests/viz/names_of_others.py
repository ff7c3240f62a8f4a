"""Names as people, translators and other programs give them, in small graphs: long ones, many scripts, prefixes of one another."""

from scalargrad import Trace, Value
from scalargrad import sum as sum_of

NAMES = {  # of inputs, of a product and of the sum
    "paths": (
        "layer1/neuron12/weight_of_the_previous_state", "layer1/neuron13/weight_of_the_previous_state",
        "layer1/neuron12/weight_of_the_current_input", "layer1/neuron12/activation", "loss_of_the_whole_network_in_this_step",
    ),
    "prefixes": (
        "temperature", "temperature_in", "temperature_inside", "temperature_inside_the_room", "temperature_inside_the_room_2",
        "temperature_inside_the_room_predicted",
    ),
    "forty letters": ("a" * 40, "b" * 40, "y" * 40, "z" * 40),
    "same ends": (*(f"encoder_block_{k}_attention_projection_weight" for k in ("first", "second", "third")), "scores", "loss"),
    "digits and underscores": ("x_1_2_3", "__hidden__", "a1b2c3d4e5f6g7h8i9j0", "_" * 40, "w12345678901234567890", "z_final_2024_11_28_v3"),
    "sentences": ("learning rate of the optimiser", "weight decay (per step)", "step size * decay", "what we minimise = loss"),
    "Chinese": ("权重参数第1层的偏置向量的第一个分量", "权重参数第2层的偏置向量的第一个分量", "神经网络的输出结果", "总损失"),
    "Japanese": ("重み", "隠れ層の活性化関数の出力の値", "前の状態の重み", "損失関数"),
    "emoji": ("🙂", "🎉🎈🍎🍐🍊🍋🍌🍉🍇🍓🫐🍈", "🚀🚀", "🎯"),
    "right to left": ("משקל", "הטיה_של_הנוירון_בשכבה_הראשונה", "الوزن", "خسارة_الشبكة_العصبية_كلها"),
    "accents": ("coefficient_de_fréquence_à_l'arrivée", "größte_Änderungsgeschwindigkeit", "e\N{COMBINING ACUTE ACCENT}" * 20, "z"),
}  # fmt: skip


def named(*names):
    """Return the trace of the product of the first two variables plus the sum of the others, under these names."""
    *inputs, product, result = names
    given = [Value(2.0 + k / 4, name=name) for k, name in enumerate(inputs)]
    y = given[0] * given[1]
    y.name = product
    z = sum_of(y, *given[1:])
    z.name = result
    return Trace(z)
