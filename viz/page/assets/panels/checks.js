// The derivatives checked by nudges; then z step after step.

const MOST_STEPS = 4; // of the past that the table shows

panels.checks = (root, shown) => {
  const run = inNumbers(shown);
  const { z, total } = wordsOf(run);
  const row = (className, cells) => html("tr", { class: className }, ...cells.map(cell => html("td", {}, ...[cell].flat())));
  const table = (head, rows) => html("table", {}, html("thead", {}, html("tr", {}, ...head.map(text => html("th", { scope: "col" }, ...[text].flat())))), html("tbody", {}, ...rows));

  function checked({ view, descent }) {
    const found = checks(descent.place), sizes = new Set(found.map(({ h }) => h)), asked = view === "answers";
    const rows = found.map(({ ratio, slope, kind, verdict }, k) => row(null, [total(run.live.inputs[k]), asked ? "?" : digits(ratio), html("span", { class: "slope" }, digits(slope)), html("span", { class: kind === "smooth" ? "ok" : "odd" }, asked ? "" : verdict)]));
    return [html("h2", {}, "The nudge check"), table([run.noun, sizes.size === 1 ? `rise ÷ ${digits(found[0].h)}` : "rise ÷ nudge", "chain rule", ""], rows)];
  }

  function past({ descent, rate }) {
    const { places } = descent, first = Math.max(0, places.length - MOST_STEPS), next = descent.zAfter(rate);
    const rows = places.slice(first).map((place, k) => row(null, [first + k ? `after step ${first + k}` : "start", digits(place.z, 4), first + k ? signed(place.z - places[first + k - 1].z) : ""]));
    rows.push(row("now", [`step ${places.length}, if you take it`, rate ? digits(next, 4) : "?", rate ? signed(next - descent.place.z) : ""]));
    return [html("h2", {}, "Step after step"), table(["", z(), "change"], rows)];
  }

  return {
    show(frame) {
      root.hidden = !frame.checks;
      if (root.hidden) return;
      const { view, note } = frame.checks;
      root.replaceChildren(...(view === "answers" || view === "check" ? checked(frame.checks) : past(frame.checks)), html("p", { class: "note" }, note));
    },
  };
};
