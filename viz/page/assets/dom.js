// Small helpers that make and find elements. Names are only ever set as text, never parsed.

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Listens to the window for as long as the player that is shown now stands there.
let watching = new AbortController();
const listen = (event, heard) => addEventListener(event, heard, { signal: watching.signal });

const SVG = "http://www.w3.org/2000/svg", MATHML = "http://www.w3.org/1998/Math/MathML";

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const html = (tag, attributes = {}, ...children) => made(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => made(document.createElementNS(SVG, tag), attributes, children);
const math = (tag, ...children) => made(document.createElementNS(MATHML, tag), {}, children);

// A row of MathML without rows in rows; each operator keeps the place that it had: before, between or after.
function flat(row) {
  const parts = [...row.children];
  return parts.flatMap((part, k) => {
    if (part.localName === "mrow" && !part.attributes.length) return flat(part);
    if (part.localName === "mo" && !part.hasAttribute("form")) part.setAttribute("form", !k ? "prefix" : k < parts.length - 1 ? "infix" : "postfix");
    return [part];
  });
}

// The pieces of a flat row of MathML, between which a line may end: before each + and =, not within fractions, roots or powers.
function linesOf(row) {
  const lines = [[]];
  for (const part of [...row.children]) {
    if (part.localName === "mo" && /^[+−=]$/.test(part.textContent) && part.getAttribute("form") === "infix") lines.push([]);
    lines.at(-1).push(part);
  }
  return lines;
}

const SHIFTS = { "": 0, sub: 0.2, sup: -0.35 }; // how far each kind of run stands below its line, in em
const SMALLER = 0.72; // the size of what stands below or above

// Runs of text for the graph, [[text, kind], ...], laid out as mathematics: indices and powers smaller, below and above.
function mathText(parent, runs) {
  parent.textContent = "";
  let below = 0;
  for (const [text, kind] of runs.at(-1)?.[1] ? [...runs, ["\u200b", ""]] : runs) {
    const dy = (SHIFTS[kind] - below) / (kind ? SMALLER : 1);
    parent.append(svg("tspan", { class: kind ? "small" : null, dy: dy ? `${dy.toFixed(3)}em` : null }, text));
    below = SHIFTS[kind];
  }
  return parent;
}
