"""LaTeX of the chapters as text for a terminal, in the notation of `viz`: dz/dx = Σ[y ∈ c(x)] dz/dy · ∂y/∂x."""

import re

from scalargrad.formulas.text import split_name

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[{}^_&]|\s+|[^\\{}^_&\s]", re.S)
# fmt: off
SIGNS = {
    "cdot": "·", "times": "×", "in": "∈", "notin": "∉", "partial": "∂", "ldots": "…", "dots": "…", "cdots": "…", "vdots": "⋮",
    "quad": "  ", "qquad": "   ", ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "\n": " ", "{": "{", "}": "}", "%": "%", "$": "$",
    "&": "&", "#": "#", "_": "_", "|": "‖", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "equiv": "≡", "sim": "~", "pm": "±", "to": "→", "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "mapsto": "↦", "infty": "∞",
    "sum": "Σ", "prod": "Π", "int": "∫", "nabla": "∇", "odot": "⊙", "otimes": "⊗", "oplus": "⊕", "circ": "∘", "mid": "|", "top": "ᵀ",
    "cup": "∪", "cap": "∩", "subset": "⊂", "forall": "∀", "exists": "∃", "prime": "′", "ast": "*", "star": "*", "div": "÷", "ell": "ℓ",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ",
    "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ", "psi": "ψ", "omega": "ω", "xi": "ξ",
    "zeta": "ζ", "kappa": "κ", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Omega": "Ω",
    "left": "", "right": "", "big": "", "Big": "", "bigl": "", "bigr": "", "Bigl": "", "Bigr": "", "displaystyle": "", "limits": "",
    "lfloor": "⌊", "rfloor": "⌋", "lVert": "‖", "rVert": "‖", "lvert": "|", "rvert": "|", "langle": "⟨", "rangle": "⟩",
}
# fmt: on
NAMES = {"max", "min", "exp", "log", "ln", "sin", "cos", "tan", "tanh", "sinh", "cosh", "det", "lim", "arg", "sup", "inf", "gcd", "dim"}
FONTS = {"text", "mathsf", "mathrm", "mathbf", "mathit", "mathtt", "mathcal", "mathbb", "boldsymbol", "operatorname", "textbf", "textit"}
FRACTIONS = {"frac", "dfrac", "tfrac"}
RAISED = str.maketrans("0123456789+−-()nT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿᵀ")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
AFTER_D = re.compile("∂ +")
PRODUCT = re.compile(r"[0-9]+[^0-9.,…]")  # 2h, which must not come apart below a line
LOOSE = re.compile(r"[ +−/·×=-]")


def plain_formula(tex) -> str:
    r"""Return a formula as text on one line. A matrix is written by rows. Raises ValueError for a command that has no text here.

    >>> plain_formula(r"\frac{dz}{dx} = \sum_{y \in c(x)} \frac{dz}{dy} \cdot \frac{\partial y}{\partial x_1}")
    'dz/dx = Σ[y ∈ c(x)] dz/dy · ∂y/∂x₁'
    >>> plain_formula(r"A^{\mathsf{T}} = \begin{pmatrix} 1 & 2 \\ 3 & x^2 \end{pmatrix}, \frac{a + b}{2}, G_{BC}, e^{-x}")
    'Aᵀ = [1, 2; 3, x²], (a + b)/2, G_BC, e^(-x)'
    """
    text = AFTER_D.sub("∂", Reader(tex).until(None))
    return re.sub(r" {4,}", "   ", re.sub(r"(?<=\S) +(?=[,.;)])|(?<=\() +", "", text)).strip()


class Reader:
    """The tokens of a formula, and the place of the next one."""

    def __init__(self, tex):
        self.tokens, self.at = TOKEN.findall(tex), 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def space(self):
        while (self.peek() or "x").isspace():
            self.at += 1

    def until(self, end):
        """Return the text up to a token, and take that token."""
        found = ""
        while (token := self.take()) != end:
            if token is None:
                raise ValueError(f"a formula does not end with {end}")
            found = self.add(found, token)
        return re.sub(r"\s+", lambda spaces: spaces[0] if "\n" not in spaces[0] else " ", found)

    def add(self, found, token):
        """Return the text before a token with that of the token."""
        if token == "^":
            return found.rstrip() + raised(self.argument())
        if token == "_":
            return found.rstrip() + lowered(self.argument(), found)
        if token == "{":
            return found + self.until("}")
        if token == "&":
            return found + ("" if found.endswith(" ") else " ")
        if token.isspace():
            return found + " " * (not found.endswith(" "))
        return found + (self.command(token[1:]) if token.startswith("\\") else token)

    def argument(self):
        self.space()
        token = self.take()
        return self.until("}") if token == "{" else self.add("", token)

    def command(self, name):
        if name in FRACTIONS:
            top, bottom = (AFTER_D.sub("∂", self.argument().strip()) for _ in range(2))
            return f"{bracketed(top)}/{bracketed(bottom, PRODUCT)}"
        if name in FONTS:
            return self.argument()
        if name == "sqrt":
            return f"√{bracketed(self.argument().strip())}"
        if name in ("hat", "bar", "tilde", "vec", "dot"):
            return self.argument() + {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307"}[name]
        if name == "begin":
            return self.environment(self.argument())
        if name == "\\":
            return "; "
        if name in NAMES:
            return name
        if name not in SIGNS:
            raise ValueError(f"\\{name} is not known; the signs that can be written stand in tutorial/text/plain_formulas.py")
        return SIGNS[name]

    def environment(self, name):
        body = []
        while self.tokens[self.at : self.at + 2] != ["\\end", "{"]:
            if self.peek() is None:
                raise ValueError(f"a formula does not end its {name}")
            body.append(self.take())
        self.take()
        self.argument()
        rows = "".join(body).split("\\\\")
        if name.endswith("matrix"):
            return f"[{'; '.join(', '.join(plain_formula(cell) for cell in row.split('&')) for row in rows if row.strip())}]"
        return "; ".join(plain_formula(row) for row in rows if row.strip())


def bracketed(text, too=None):
    """Return a text, in brackets if it would come apart, or if it begins with what `too` says."""
    return f"({text})" if LOOSE.search(text) or too and too.match(text) else text


def raised(text):
    text = text.strip()
    small = text.translate(RAISED)
    whole = all(a != b for a, b in zip(text, small)) or text in ("ᵀ", "′", "*")
    return small if whole and not LOOSE.search(text) else f"^{bracketed(text)}"


def lowered(text, before):
    text = text.strip()
    if before.rstrip().endswith(("Σ", "Π", "max", "min", "∫", "lim")):
        return f"[{text}]"
    if text.isdigit() or (text.replace(",", "").isdigit()):
        return text.translate(LOWERED)
    base, index = split_name(text)
    return f"_{base}{index.translate(LOWERED)}" if not LOOSE.search(text) else f"_({text})"
