// What the pages of folded loops have more than others: beside the counter the passes of the step, and in a pass the choice of another.

import { button, find, html, keyHelp } from "../dom.js";
import { listen } from "../listening.js";
import { PANELS } from "../panels/panels.js";
import { loopOf, passesAt } from "./passes.js";

let choosing = false; // whether the list of passes has the focus, which the page of the next pass then keeps

export function addLoops() {
  PANELS.loop = loopPanel;
  find("#step").after(html("div", { id: "loop", "data-panel": "loop", "data-acts": "backward" }));
}

/** @param {Run} run */
function loopPanel(root, run, player) {
  return run.pass === undefined ? ofWholeGraph(root, run, player) : ofPass(root, run, player);
}

/** @param {Run} run */
function ofWholeGraph(root, run, player) {
  const here = html("span");
  const over = button(afterLoop, { id: "over-loop", title: "to the end of the loop (key L)" }, "run over");
  root.replaceChildren(here, over);
  listen("keydown", event => {
    const typing = event.target.matches("input, select") || find("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key.toLowerCase() === "l" && !typing && player.state.act === "backward") afterLoop();
  });
  find("#keys dl").append(keyHelp(["L"], "run over the passes of a loop"));

  // Go to the first step after the loop: the loop of this step, or the next one.
  function afterLoop() {
    const { parts } = player.acts.backward, now = player.step - 1;
    const loop = parts.filter(({ to }) => to >= now).map(({ variable }) => loopOf(run, variable)).find(found => found);
    const last = parts.findLast(({ variable }) => loop && loopOf(run, variable) === loop);
    if (last) player.seek(last.to + 1);
  }

  return {
    show({ current }) {
      here.textContent = passesAt(run, current);
      over.disabled = !here.textContent;
    },
  };
}

/** @param {Run} run */
function ofPass(root, run, player) {
  const list = html("select", { "aria-label": "pass of the loop", title: run.opening },
    ...run.passes.map(k => html("option", { value: k, selected: k === run.pass ? "" : null }, k)));
  root.replaceChildren("pass ", list, ` of ${run.many}`);
  list.addEventListener("change", () => {
    choosing = true;
    const place = player.slides ? `slide=${player.slides.slide}` : `step=${player.step}`;
    location.replace(`#${run.address.replace(/(\.\d+)?&$/, `.${list.value}&`)}${place}`);
  });
  if (choosing) list.focus();
  choosing = false;
  return { show() {} };
}
