// What the acts are about, beside the question.
panels.outline = (root, run, player) => {
  const item = ({ name, title, about }, k) => html("li", { class: name === "question" ? "now" : "" }, html("b", {}, k + 1), html("div", {}, html("strong", {}, title), html("span", {}, about)));
  const list = html("ol", {}, ...Object.values(player.acts).map(item)), skip = html("p", { class: "note" }, "You know all this? The key ", html("kbd", {}, "S"), " skips to the backward pass.");
  root.append(list, skip);
  return { show() {} };
};
