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

// Text for the graph, typeset as mathematics: single letters in italics, Unicode subscripts and superscripts as smaller digits.
function mathText(parent, text) {
  parent.textContent = "";
  let below = 0; // how far the text stands below its line, in em of the parent
  const put = (shift, attributes, piece) => {
    const size = attributes.class === "small" ? 0.72 : 1;
    parent.append(shift === below ? svg("tspan", attributes, piece) : svg("tspan", { ...attributes, dy: `${((shift - below) / size).toFixed(3)}em` }, piece));
    below = shift;
  };
  for (const [piece] of text.matchAll(/[₀-₉]+|[⁰¹²³⁴-⁹]+|_[A-Za-z,0-9]+|[A-Za-z]+|[^A-Za-z₀-₉⁰¹²³⁴-⁹_]+|_/g)) {
    if (/^_./.test(piece)) put(0.2, { class: "small" }, piece.slice(1).replace(/[A-Za-z]/g, italic));
    else if (/[₀-₉]/.test(piece)) put(0.2, { class: "small" }, digits(piece, SUBSCRIPTS));
    else if (/[⁰¹²³⁴-⁹]/.test(piece)) put(-0.35, { class: "small" }, digits(piece, SUPERSCRIPTS));
    else put(0, {}, /^d?[A-Za-z]$/.test(piece) ? [...piece].map(italic).join("") : piece);
  }
  if (below) put(0, {}, "\u200b");
  return parent;
}

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉", SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const digits = (text, from) => [...text].map(c => from.indexOf(c)).join("");

const ITALIC_A = 0x1d44e, ITALIC_CAPITAL_A = 0x1d434;

function italic(letter) {
  if (letter === "h") return "ℎ";
  const capital = letter < "a";
  return String.fromCodePoint((capital ? ITALIC_CAPITAL_A - 65 : ITALIC_A - 97) + letter.charCodeAt(0));
}
