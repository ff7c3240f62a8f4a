// On paper all answers are unfolded, and each player is a sentence with its address.

import { all, html } from "../../../viz/page/src/dom.js";

export function preparePaper() {
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = all("article details:not([open])");
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
  for (const frame of all("iframe[src]")) {
    const address = decodeURIComponent(frame.getAttribute("src").replace(/^(\.\.\/)*/, ""));
    const said = `Here the site has a player: ${frame.title || "step through the graph"} (file ${address}).`;
    frame.after(html("p", { class: "printed" }, said));
  }
}
