// Make and find elements. Names of variables are always set as text, never parsed.

export const find = (selector, within = document) => within.querySelector(selector);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

const SVG = "http://www.w3.org/2000/svg";
export const MATHML = "http://www.w3.org/1998/Math/MathML";

export function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const html = (tag, attributes = {}, ...children) => made(document.createElement(tag), attributes, children);

// A button, and what it does.
export function button(action, attributes, ...children) {
  const found = html("button", { type: "button", ...attributes }, ...children);
  found.addEventListener("click", action);
  return found;
}

// A table: the texts above its columns, of which each may have several parts, and its rows.
export const table = (titles, rows) =>
  html("table", {},
    html("thead", {}, html("tr", {}, ...titles.map(title => html("th", { scope: "col" }, ...[title].flat())))), html("tbody", {}, ...rows));

export const keyHelp = (keys, text) =>
  html("div", {}, html("dt", {}, ...keys.flatMap(key => [html("kbd", {}, key), " "])), html("dd", {}, text));
export const svg = (tag, attributes = {}, ...children) => made(document.createElementNS(SVG, tag), attributes, children);
export const math = (tag, ...children) => made(document.createElementNS(MATHML, tag), {}, children);
export const sign = text => math("mo", text);
export const equals = () => math("math", sign("="));

// Append text to a fragment. No line breaks between a formula and the comma or the full stop after it.
export function appendText(fragment, text) {
  const last = fragment.lastChild, [end] = last?.localName === "math" ? text.match(/^[.,;:!?)]*/) : [""];
  fragment.append(...(end ? [html("span", { class: "together" }, last, end)] : []), text.slice(end.length));
}

// Return the parts of a row of MathML without nested rows. Each operator keeps its form: prefix, infix or postfix.
export function flat(row) {
  const parts = [...row.children];
  return parts.flatMap((part, k) => {
    if (part.localName === "mrow" && !part.attributes.length) return flat(part);
    if (part.localName === "mo" && !part.hasAttribute("form"))
      part.setAttribute("form", !k ? "prefix" : k < parts.length - 1 ? "infix" : "postfix");
    return [part];
  });
}

// Return the pieces of a flat row of MathML between which a line may break: before each +, − and =, not inside fractions, roots, powers.
export function linesOf(row) {
  const lines = [[]];
  for (const part of [...row.children]) {
    if (part.localName === "mo" && /^[+−=]$/.test(part.textContent) && part.getAttribute("form") === "infix") lines.push([]);
    lines.at(-1).push(part);
  }
  return lines;
}

const SHIFTS = { "": 0, sub: 0.2, sup: -0.35 }; // how far each kind of run is below its line, in em
const SMALLER = 0.72; // the size of an index or a power

// Put runs of text, [[text, kind], ...], into an element of the graph as mathematics: indices and powers are smaller.
export function mathText(parent, runs) {
  parent.textContent = "";
  let below = 0;
  for (const [text, kind] of runs.at(-1)?.[1] ? [...runs, ["\u200b", ""]] : runs) {
    const dy = (SHIFTS[kind] - below) / (kind ? SMALLER : 1);
    parent.append(svg("tspan", { class: kind ? "small" : null, dy: dy ? `${dy.toFixed(3)}em` : null }, text));
    below = SHIFTS[kind];
  }
  return parent;
}

const LONGEST_NAME = 24; // letters of a name that a sentence writes in full

// Write the names of a sentence in full: it has more room than a box, but on a slide, where its letters would become smaller.
export function inFull(sentence) {
  if (sentence.closest("#slide")) return;
  for (const name of all("mi[data-whole], msub[data-whole]", sentence)) {
    const letters = name.localName === "mi" ? name : name.firstElementChild, whole = name.dataset.whole.replace(/_?\d+$/, "");
    if (letters.localName === "mi" && whole.length <= LONGEST_NAME && letters.textContent.includes("…"))
      letters.textContent = name.localName === "mi" ? name.dataset.whole : whole;
  }
}
