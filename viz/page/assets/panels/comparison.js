// Compare two loops on the same graph: both step together, and the panel marks where the second differs.

// The panel takes the place of the dictionary, and adds two buttons. Without a second trace it stays hidden.
panels.comparison = (panel, run, player) => {
  const { beside } = run;
  if (!beside) return { show() {}, first: undefined };
  const first = beside.first?.step;
  document.body.classList.add("beside");
  const said = html("p", { id: "beside-said" }), verdict = html("p", { id: "beside-first", role: "status" }), body = html("tbody");
  const jump = html("button", { id: "difference", type: "button", title: "key D" }, first === undefined ? "no difference" : "first difference");
  panel.append(
    html("div", { class: "title" }, html("h2", { id: "beside-title" }, "comparison"), jump), said, verdict,
    html("div", { class: "rows", tabindex: "0", role: "region", "aria-label": "dictionaries of both loops" }, html("table", {},
      html("thead", {}, html("tr", {}, ...["", "expected", "got"].map(text => html("th", { scope: "col" }, text)))), body)));
  jump.disabled = first === undefined;
  jump.addEventListener("click", () => player.seek(first));
  find("#keys dl").append(keyHelp(["D"], "first step at which the other loop differs"));

  const lines = html("div", { id: "beside-code", tabindex: "0", role: "region", "aria-label": "other loop", hidden: "" });
  const switcher = html("button", { id: "beside-lang", type: "button", "aria-pressed": "false" }, "other loop");
  find("#code").after(lines);
  find("#lang").before(switcher);
  const code = panels.code(lines, { listing: [], python: beside.python });
  code.language = "python";
  switcher.hidden = !beside.python.length;
  switcher.addEventListener("click", () => {
    lines.hidden = !lines.hidden;
    find("#code").hidden = !lines.hidden;
    switcher.setAttribute("aria-pressed", !lines.hidden);
  });

  const dictionary = (insertions, known) => new Map(insertions.slice(0, known).map(({ variable, total }) => [variable, total]));
  const cell = q => html("td", {}, ...(q === undefined ? ["–"] : [run.formula(run.quantities[q].mathml)]));
  const same = (a, b) => a === b || (a !== undefined && b !== undefined && run.quantities[a].mathml === run.quantities[b].mathml);

  function row(name, key, expected, got) {
    const heading = html("th", { scope: "row" }, run.formula(run.variables[key].total), name === "sum" ? " so far" : "");
    return html("tr", { class: same(expected, got) ? name : `${name} differs`, "data-variable": key }, heading, cell(expected), cell(got));
  }

  return {
    first,
    show(frame) {
      panel.hidden = false;
      const { i, step } = frame, ended = i >= beside.steps.length, other = beside.steps[Math.min(i, beside.steps.length - 1)];
      said.replaceChildren(...(ended ? ["The other loop has ended."] : ["Other loop: ", run.sentence(other.said)]));
      const different = first !== undefined && i >= first;
      verdict.className = different ? (i === first ? "here" : "after") : "";
      const since = html("b", {}, i === first ? "They differ here: " : `They differ since step ${first + 1}: `);
      verdict.replaceChildren(...(different ? [since, run.sentence(beside.first.said)] : ["Both loops agree up to this step."]));
      const expected = dictionary(run.insertions, step.known), got = dictionary(beside.insertions, other.known);
      const rows = [...new Set([...expected.keys(), ...got.keys()])].map(v => row("entry", v, expected.get(v), got.get(v)));
      const sums = [...new Set([step, other].filter(s => s.total !== undefined && s.x !== undefined).map(s => s.x))].filter(v => !expected.has(v) || !got.has(v));
      rows.push(...sums.map(v => row("sum", v, step.x === v ? step.total : expected.get(v), other.x === v ? other.total : got.get(v))));
      body.replaceChildren(...rows);
      if (rows.length) keepInView(panel.lastChild, i === first ? rows.find(r => r.matches(".differs")) ?? rows.at(-1) : rows.at(-1));
      code.show({ act: "backward", code: other.code, step: {} });
    },
  };
};
