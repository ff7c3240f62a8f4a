// The dictionary of total derivatives; in the forward pass, of values.
panels.computed = (root, run) => {
  const box = find("#computed", root);
  const rows = new Map();
  const [heading, note] = find("#computed-title", root).children;
  const order = [...new Set(run.insertions.map(({ variable }) => variable))];

  function row(v) {
    if (rows.has(v)) return rows.get(v);
    const parts = { key: html("span", { class: "key" }), formula: html("span", { class: "formula" }), number: html("span", { class: "value" }), flag: html("span", { class: "flag" }) };
    const made = { ...parts, item: html("li", { "data-variable": v }, ...Object.values(parts)) };
    rows.set(v, made);
    return made;
  }

  return {
    show(frame) {
      const forward = frame.act === "forward";
      heading.textContent = forward ? "values" : run.scatters ? "total" : "computed";
      note.textContent = forward ? "one more per function" : run.scatters ? "total derivatives, accumulated term by term" : "total derivatives, one more per iteration";
      const known = forward ? run.variables.map((_, v) => v).filter(frame.valued) : order.filter(v => frame.totals.get(v) && !frame.totals.get(v).running);
      const items = known.map(v => {
        const found = row(v), { item } = found, sum = frame.totals.get(v);
        const stands = forward ? "value" : `${sum.quantity} ${sum.final}`;
        item.classList.toggle("plain", symbolOf(v, sum, forward) === null);
        if (item.dataset.stands !== stands) fill(found, v, sum, forward);
        item.dataset.stands = stands;
        item.classList.toggle("get", v === frame.got);
        item.classList.toggle("new", v === frame.put);
        found.flag.textContent = v === frame.got ? "← get" : v === frame.put ? "+ new" : "";
        return item;
      });
      arrange(box, items);
      const near = items.find(item => item.classList.contains("get")) ?? items.find(item => item.classList.contains("new")) ?? items.at(-1);
      if (near) keepInView(box, near);
    },
  };

  function symbolOf(v, sum, forward) {
    return forward ? run.variables[v].formula : run.quantities[sum.quantity].symbol;
  }

  function fill({ key, formula, number }, v, sum, forward) {
    const { written, total } = run.variables[v], q = forward ? run.variables[v] : run.quantities[sum.quantity];
    key.replaceChildren(run.formula(forward ? written : total));
    const symbol = symbolOf(v, sum, forward);
    formula.replaceChildren(...(symbol === null ? [] : [run.formula(symbol)]));
    number.replaceChildren(...(symbol === null ? [] : ["= "]), run.formula(q.mathml), ...(forward || sum.final ? [] : [" …"]));
  }
};

// Put these items into a box. Items that are in their place already are not touched.
function arrange(box, items) {
  let same = 0;
  while (same < items.length && box.children[same] === items[same]) same++;
  while (box.children.length > same) box.lastChild.remove();
  box.append(...items.slice(same));
}
