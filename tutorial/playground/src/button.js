import { html } from "../../../viz/page/src/dom.js";

export function button(text, attributes, press) {
  const made = html("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}
