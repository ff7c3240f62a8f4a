// The rest of a schedule's state: its queue. What a tape or a node holds stands in a table, the panel "entries".

import { html } from "../dom.js";

/** @param {Run} run */
export function statePanel(root, run) {
  const name = v => html("span", { class: "item" }, run.formula(run.variables[v].written));
  return {
    show(frame) {
      root.hidden = frame.ready === undefined;
      if (root.hidden) return;
      root.replaceChildren("ready ", ...(frame.ready.length ? frame.ready.map(name) : [html("span", { class: "item none" }, "empty")]));
    },
  };
}
