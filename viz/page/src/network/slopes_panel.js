// All slopes of a parameter at once, as a picture in which one can choose; or what a step does to each parameter.

import { button, html } from "../dom.js";

/** @param {Run} run */
export function slopesPanel(root, run) {
  root.hidden = !run.network;
  if (!run.network) return { show() {} };
  let now = null;

  new ResizeObserver(() => draw()).observe(root);

  function draw() {
    if (!now?.show || !root.clientWidth) return;
    const { rem } = now, rest = [...root.children].filter(child => child !== now.picker.element).reduce((sum,
      child) => sum + child.offsetHeight, 0);
    now.show({ width: root.clientWidth - 1.7 * rem, height: Math.max(3.2 * rem, Math.min(11 * rem,
      root.clientHeight - rest - 2.6 * rem)) });
  }

  return {
    show({ slopes }) {
      root.hidden = !slopes;
      now = slopes ?? null;
      if (!now) return;
      const buttons = now.buttons.map(([text, action]) => button(action, {}, text));
      root.replaceChildren(html("h2", {}, ...now.title), ...(now.picker ? [now.picker.element] : []), ...(now.table ? [now.table] : []),
        ...(now.form ?? []),
        html("p", { class: "note" }, now.said), html("p", { class: "choices" }, ...buttons));
      draw();
    },
  };
}
