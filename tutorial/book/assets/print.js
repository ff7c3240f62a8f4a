// On paper all answers are unfolded, and each player is a sentence with its address.

let unfolded = [];

addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("article details:not([open])")];
  for (const details of unfolded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of unfolded) details.open = false;
});
addEventListener("DOMContentLoaded", () => {
  for (const frame of document.querySelectorAll("iframe[src]")) {
    const address = decodeURIComponent(frame.getAttribute("src").replace(/^(\.\.\/)*/, ""));
    frame.after(made("p", { className: "printed" }, `Here the site has a player: ${frame.title || "step through the graph"} (file ${address}).`));
  }
});
