// How a nudge reaches z: a row for each path, and their sum. Or the question, asked before it is shown.

const LONGEST_ROW = 42; // letters; in a narrow panel a longer row takes two lines

panels.paths = (root, shown) => {
  const run = inNumbers(shown);
  const { name } = wordsOf(run);
  let asked = null;

  // x₁ → y₁ → z; the middle of a long path is left out.
  function chain(v, path) {
    const visited = [v, ...path.map(e => run.edges[e].output)], short = visited.length <= 5 ? visited : [...visited.slice(0, 2), null, ...visited.slice(-2)];
    return short.flatMap((x, k) => [k ? " → " : "", x === null ? "…" : name(x)]);
  }

  function factors(place, path) {
    const shown = path.length <= 4 ? path.map(e => place.partials[e]) : [path.reduce((product, e) => product * place.partials[e], 1)];
    return shown.flatMap(factor => [" × ", predicted(bracketed(factor, 4))]);
  }

  function row(className, [path, product, effect, note]) {
    const cells = [path, product, effect].map(cell => html("td", {}, ...[cell].flat())), letters = cells.reduce((sum, { textContent }) => sum + textContent.length, 0);
    return html("tr", { class: `${className}${letters > LONGEST_ROW ? " long" : ""}` }, ...cells, html("td", {}, html("span", { class: "note" }, note)));
  }

  function table({ place, v, h, paths, path: only, count, slope }) {
    const nudge = digits(h), gives = number => ["= ", happened(digits(number, 5))];
    const effect = path => path.reduce((amount, e) => amount * place.partials[e], h), rest = count - paths.length;
    const rows = paths.map(path => row(only && path.join() !== only.join() ? "faint" : "", [chain(v, path), [nudge, ...factors(place, path)], gives(effect(path)),
      path.length > 1 ? `along a path, factors multiply${path.length > 4 ? ` (${path.length} here)` : ""}` : path.length ? "one arrow, one factor" : `this is the ${run.noun} itself`]));
    if (rest > 0) rows.push(row(only ? "faint" : "", [`${inWords(rest)} more path${rest === 1 ? "" : "s"}`, "", gives(slope * h - paths.map(effect).reduce((a, b) => a + b, 0)), "along each of them, factors multiply"]));
    rows.push(row(`sum${only ? " faint" : ""}`, ["together", [nudge, " × ", html("b", { class: "slope" }, bracketed(slope))], gives(slope * h), v !== run.z && place.behaviour(run.live.inputs.indexOf(v)).kind === "kink" ? "what the rule takes at the kink" : count > 1 ? "over several paths, effects add" : "there is only one path"]));
    return html("table", {}, html("tbody", {}, ...rows));
  }

  function form(question) {
    const input = html("input", { inputmode: "decimal", autocomplete: "off", spellcheck: "false", id: "expected" }), verdict = html("output", {});
    const tell = html("button", { type: "button" }, "show me");
    const made = html("form", {}, html("label", {}, question.label.cloneNode(true), " ", input), html("button", {}, "check"), question.said ? "" : tell, verdict);
    if (question.said) Object.assign(verdict, { className: "right" }).append(question.said.cloneNode(true));
    tell.addEventListener("click", () => asked.show());
    made.addEventListener("submit", event => {
      event.preventDefault();
      try {
        const { right, text } = asked.judge(input.value);
        verdict.className = right ? "right" : "wrong";
        verdict.replaceChildren(text.cloneNode(true));
        if (right) asked.show(text);
      } catch (error) {
        verdict.className = "wrong";
        verdict.textContent = error.message;
      }
    });
    return made;
  }

  return {
    show({ paths, question }) {
      root.hidden = !paths && !question;
      if (question) {
        if (asked?.k !== question.k || !find("form", root)) root.replaceChildren(form(question));
        asked = question;
      } else if (paths) {
        asked = null;
        root.replaceChildren(html("h2", {}, "How the nudge reaches ", name(run.z)), table(paths));
      }
    },
  };
};
