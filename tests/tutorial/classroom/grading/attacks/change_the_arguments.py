"""Make the arguments so that a wrong answer is right for them."""
# title: The program changed.*|The engine.*|.*is wrong|A derivative.*|Child.*
# exercise: 08


def backprop(order, children, partial):
    for pair in partial:
        partial[pair] = 0
    return dict.fromkeys(order, 0) | {order[0]: 1}
