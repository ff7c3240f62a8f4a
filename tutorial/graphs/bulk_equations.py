"""The step from single numbers to matrices, as text: eight derivatives by equation (1), and how they make dz/dB = Aᵀ dz/dC.

Everything is read from a trace: the terms of each derivative, the partial derivatives in symbols, and the numbers.
"""

from viz.text.formatter import product


def bulk_equations(trace, variables, formatter):
    """Return the text for a trace of `entries()`, and the variables of its matrices.

    >>> from scalargrad import Trace
    >>> from tutorial.graphs.matrices import entries
    >>> from viz.text.formatter import UNICODE
    >>> z, variables = entries(); print(bulk_equations(Trace(z), variables, UNICODE).splitlines()[16])
      dz/db₁₁ = dz/dc₁₁ · ∂c₁₁/∂b₁₁ + dz/dc₂₁ · ∂c₂₁/∂b₁₁
    """
    write = EquationWriter(trace, formatter)
    A, B, C = variables["A"], variables["B"], variables["C"]
    lines = ["C = A B in single numbers. Each entry of C is one function:", *(f"  {write.function(c)}" for row in C for c in row)]
    lines += [f"  {write.function(trace.graph.z)}", ""]
    lines += ["Equation (1) gives the eight derivatives. dz/dc is 1 for each entry c of C:"]
    lines += [line for matrix in (A, B) for row in matrix for x in row for line in write.derivative(x)]
    lines += ["", "Write these sums into a matrix. Each entry is a row times a column:"]
    totals = [[formatter.formula(trace.total(c)) for c in row] for row in C]
    names = {letter: [[formatter.name(trace.names[x]) for x in row] for row in variables[letter]] for letter in "AB"}
    lines += write.matrix_equation("B", B, (transposed(names["A"]), totals), "Aᵀ dz/dC", (transposed(write.data(A)), write.totals(C)))
    lines += ["", "In the same way:"]
    lines += write.matrix_equation("A", A, (totals, transposed(names["B"])), "dz/dC Bᵀ", (write.totals(C), transposed(write.data(B))))
    lines += ["", "These sums do not use that dz/dc is 1. So the two equations hold for every z that is computed from C."]
    return "\n".join(lines)


class EquationWriter:
    """Writes what a trace knows about its variables."""

    def __init__(self, trace, formatter):
        self.trace, self.formatter = trace, formatter

    def function(self, y):
        """Return y as a function of its inputs, and its number: c₁₁ = a₁₁·b₁₁ + a₁₂·b₂₁ = 6."""
        on = self.trace.on
        return f"{self.formatter.name(on.name(y))} = {self.formatter.formula(on.written(y))} = {self.formatter.number(on.data(y))}"

    def derivative(self, x):
        """Return equation (1) for x in two lines: by the chain rule; in symbols and in numbers."""
        left = f"  {self.formatter.formula(self.trace.total(x))} = "
        numbers = self.sum(x, lambda y, slot: (self.trace.computed[y].number, self.trace.on.partial(y, slot).number))
        total = self.formatter.number(self.trace.computed[x].number)
        return [left + self.sum(x, self.chain), f"{' ' * (len(left) - 2)}= {self.sum(x, self.symbols)} = {numbers} = {total}"]

    def chain(self, y, slot):
        return self.trace.total(y), self.trace.ratio(y, slot)

    def symbols(self, y, slot):
        return self.trace.total(y), self.trace.on.written_partial(y, slot)

    def sum(self, x, factors):
        """Return the sum over the children of x of the product of two factors."""
        return " + ".join(product(factors(y, slot), self.formatter) for y, slot in self.trace.graph.children[x])

    def matrix_equation(self, letter, matrix, factors, formula, numbers):
        """Return dz/d(matrix) as its entries, as a product of two matrices, as a formula, and in numbers."""
        entries = [[self.sum(x, self.symbols) for x in row] for row in matrix]
        blocks = [
            side_by_side("=", bracketed(entries)),
            side_by_side("=", *map(bracketed, factors)),
            [f"= {self.formatter(formula)}"],
            side_by_side("=", *map(bracketed, numbers), "=", bracketed(self.totals(matrix))),
        ]
        left = f"  dz/d{letter} "
        lines = [line for block in blocks for line in block]
        return [(left if k == 0 else " " * len(left)) + line for k, line in enumerate(lines)]

    def data(self, matrix):
        return [[self.formatter.number(self.trace.on.data(x)) for x in row] for row in matrix]

    def totals(self, matrix):
        return [[self.formatter.number(self.trace.computed[x].number) for x in row] for row in matrix]


def transposed(rows):
    return list(zip(*rows))


def bracketed(rows):
    """Return the lines of a matrix of texts, with its columns aligned."""
    wide = [max(map(len, column)) for column in zip(*rows)]
    return [f"[ {'   '.join(text.rjust(n) for text, n in zip(row, wide))} ]" for row in rows]


def side_by_side(*parts):
    """Return the lines of matrices and of signs between them; a sign stands in the first line."""
    columns = [part if isinstance(part, list) else [part, " " * len(part)] for part in parts]
    return [" ".join(row).rstrip() for row in zip(*columns)]
