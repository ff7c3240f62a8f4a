// The table of a schedule: the entries of a tape, or what each node holds. Rows that the step changes are marked.
panels.entries = (root, run) => {
  if (!run.table) return { show() { root.hidden = true; } };
  const { columns, rows } = run.table, shown = rows.map(() => null);
  const lines = rows.map(({ variable }) => html("tr", variable === null ? {} : { "data-variable": variable }, ...columns.map(() => html("td", {}))));
  const head = html("tr", {}, ...columns.map(title => html("th", { scope: "col" }, run.sentence(title))));
  root.replaceChildren(html("table", {}, html("thead", {}, head), html("tbody", {}, ...lines)));

  return {
    show(frame) {
      root.hidden = frame.rows === undefined;
      if (root.hidden) return;
      const changed = new Set((frame.step.rows ?? []).map(([row]) => row));
      lines.forEach((line, k) => {
        const { variable } = rows[k];
        if (shown[k] !== frame.rows[k]) frame.rows[k].forEach((text, c) => line.children[c].replaceChildren(run.sentence(text)));
        shown[k] = frame.rows[k];
        line.classList.toggle("now", frame.place === undefined ? variable !== null && variable === frame.current : k === frame.place);
        line.classList.toggle("new", changed.has(k));
      });
      const near = lines.find(line => line.classList.contains("new")) ?? lines.find(line => line.classList.contains("now"));
      if (near) keepInView(root, near);
    },
  };
};
