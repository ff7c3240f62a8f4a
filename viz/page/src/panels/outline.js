// What the acts are about, beside the question.

import { find, html } from "../dom.js";

export function outlinePanel(root, _run, player) {
  const item = ({ name, title, about }, k) =>
    html("li", { class: name === "question" ? "now" : "" },
      html("b", {}, k + 1), html("div", {}, html("strong", {}, title), html("span", {}, about)));
  find("h2", root).append(html("small", {}, " You know this? ", html("kbd", {}, "S"), " skips to the backward pass."));
  root.append(html("ol", {}, ...Object.values(player.acts).map(item)));
  return { show() {} };
}
