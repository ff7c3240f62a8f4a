// The table of a schedule: the entries of a tape, or what each node holds. Rows that the step changes are marked.

import { find, html, table } from "../dom.js";
import { keepInView } from "../places.js";

const MOST_IN_ORDERING = 8;

/** @param {Run} run */
export function entriesPanel(root, run) {
  if (!run.table) return { show() { root.hidden = true; } };
  const { columns, rows } = run.table, shown = rows.map(() => null), note = find("#computed-title small");
  const lines = rows.map(({ variable }) =>
    html("tr", variable === null ? {} : { "data-variable": variable }, ...columns.map(() => html("td", {}))),
  );
  root.replaceChildren(table(columns.map(title => run.sentence(title)), lines));

  // Return variables with commas between them: the first few, and how many more there are.
  function named(variables) {
    const found = variables.slice(0, MOST_IN_ORDERING).flatMap((v, k) => [k ? ", " : "", run.formula(run.variables[v].written)]);
    return variables.length > MOST_IN_ORDERING
      ? [...found, `, … ${variables.length - MOST_IN_ORDERING} more`]
      : found.length
        ? found
        : ["empty"];
  }

  return {
    show(frame) {
      root.hidden = frame.rows === undefined;
      if (root.hidden) return;
      if (frame.ordering) note.replaceChildren("ordering: ", ...named(frame.ordering));
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
}
