// Equation (1) for the current variable: as it reads, in symbols, in numbers, filled in term by term.

const fraction = (d, top, bottom) => math("mfrac", math("mrow", math("mi", d), top), math("mrow", math("mi", d), bottom));
const letter = text => math("mi", text);

// A bracket that neither grows nor keeps a distance.
function bracket(text) {
  const found = sign(text);
  for (const [name, value] of [["stretchy", "false"], ["lspace", "0"], ["rspace", "0"]]) found.setAttribute(name, value);
  return found;
}

function makeEquation(root, run) {
  const z = () => run.piece(run.variables[run.z].written);

  // dz/dx = Σ dz/dy · ∂y/∂x over the children y of x
  function general(x) {
    const sum = document.createElementNS(MATHML, "munder");
    const over = sign("∑");
    over.setAttribute("movablelimits", "false");
    sum.append(over, math("mrow", letter("y"), sign("∈"), letter("c"), bracket("("), x(), bracket(")")));
    const inside = run.tensors
      ? [math("msub", letter("G"), math("mrow", x(), sign(","), letter("y")))]
      : [tinted("total", fraction("d", z(), letter("y"))), sign("·"), tinted("partial", fraction("∂", letter("y"), x()))];
    return math("math", fraction("d", z(), x()), sign("="), sum, ...inside);
  }

  function tinted(name, ...pieces) {
    const row = math("mrow", ...pieces);
    row.setAttribute("class", name);
    return row;
  }

  function children(x) {
    const names = [...new Set(run.edgesFrom[x].map(e => run.edges[e].output))].map(y => run.piece(run.variables[y].written));
    const listed = names.flatMap((name, k) => (k ? [sign(","), name] : [name]));
    return math("math", letter("c"), bracket("("), run.piece(run.variables[x].written), bracket(")"), sign("="), bracket("{"), ...listed, bracket("}"));
  }

  const hole = () => html("span", { class: "hole", "aria-label": "not known yet" }, "?");

  // The factors of one term, the first of two a total derivative, the second a partial.
  function product(factors) {
    const names = factors.length === 2 && run.schedule !== "paths" ? ["total", "partial"] : factors.map(() => "partial");
    return factors.flatMap((place, k) => {
      const piece = place === null ? hole() : html("span", { class: names[k] }, run.formula(place));
      return k ? [html("span", { class: "times" }, "·"), piece] : [piece];
    });
  }

  function row(name, label, left, terms, result) {
    const cells = terms.flatMap((term, k) => [
      html("td", { class: "sign" }, k ? "+" : "="),
      html("td", { class: term.active ? "term active" : "term" }, ...product(term[name])),
    ]);
    if (!terms.length) cells.push(html("td", { class: "sign" }, "="), html("td", { class: "term" }, hole()));
    if (result !== null) cells.push(html("td", { class: "sign" }, "="), html("td", { class: "result" }, run.formula(result)));
    return html("tr", { class: name }, html("th", { scope: "row" }, label), html("td", { class: "left" }, ...left), ...cells);
  }

  function chainRule(frame, x, terms) {
    const sum = frame.totals.get(x), all = terms.length > 0 && terms.every(term => term.done);
    const complete = run.schedule === "paths" ? sum?.final : all && sum;
    const q = complete ? run.quantities[sum.quantity] : null;
    const single = terms.length === 1 && terms[0].numbers.length === 1;
    const symbol = q?.symbol !== null && !(run.tensors) && !(terms.length === 1 && terms[0].symbols.length === 1) ? q?.symbol : null;
    root.replaceChildren(
      html("div", { class: "rule" }, general(() => run.piece(run.variables[x].written)), children(x)),
      html("div", { class: "rows", tabindex: "0", role: "region", "aria-label": "chain rule, symbols, numbers" }, html("table", { class: "chain-rule" }, html("tbody", {},
        row("chain", "chain rule", [run.formula(run.variables[x].total)], terms, null),
        row("symbols", run.tensors ? "rules" : "symbols", [], terms, symbol ?? null),
        row("numbers", "numbers", [], terms, q && !single ? q.mathml : null)))));
    const active = find(".numbers .active", root), rows = find(".rows", root);
    if (active) keepInMiddle(rows, active);
  }

  function forward({ firing }) {
    if (!firing) return introduction("The forward pass", "Values go from the inputs to z, derivatives come back from z to the inputs.");
    const { written, formula, mathml } = run.variables[firing.variable];
    const line = (label, left, place, name) => html("tr", { class: name }, html("th", { scope: "row" }, label), html("td", { class: "left" }, ...left),
      html("td", { class: "sign" }, "="), html("td", { class: place === mathml ? "result" : "term" }, run.formula(place)));
    const rows = [line("function", [run.formula(written)], formula, "chain")];
    if (!run.tensors) rows.push(line("numbers", [], firing.numbers, "symbols"));
    root.replaceChildren(html("div", { class: "rows" }, html("table", { class: "chain-rule" }, html("tbody", {}, ...rows, line("value", [], mathml, "numbers")))));
  }

  function introduction(...paragraphs) {
    const intro = html("div", { class: "introduction" }, ...paragraphs.map(text => html("p", {}, text)));
    root.replaceChildren(intro);
    return intro;
  }

  function before() {
    const intro = introduction();
    intro.append(general(() => letter("x")));
    const legend = html("p", {}, "Equation (1), the inductive chain rule: ");
    legend.append(html("b", { class: "total" }, "total derivatives of the children"), " come from the dictionary, ", html("b", { class: "partial" }, "partial derivatives on the edges"),
      " are calculated, and the sum is the ", html("b", { class: "finished" }, "total derivative of the current variable"), ".");
    if (run.tensors) legend.replaceChildren("Equation (1) in bulk: the total derivative of X is the sum of the contributions that X's children pass to it.");
    intro.append(legend);
  }

  return {
    show(frame) {
      if (frame.act === "forward") return forward(frame);
      const { x, terms } = run.terms(frame);
      if (x !== undefined && x !== run.z) chainRule(frame, x, terms);
      else if (frame.step.act === "done") introduction(`${run.edges.length} edges, and each was used once: one pass gave all ${run.variables.length - 1} derivatives.`);
      else before();
    },
  };
}
