// Small helpers that make and find elements. Names are only ever set as text, never parsed.

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

const SVG = "http://www.w3.org/2000/svg", MATHML = "http://www.w3.org/1998/Math/MathML";

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const html = (tag, attributes = {}, ...children) => made(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => made(document.createElementNS(SVG, tag), attributes, children);
const math = (tag, ...children) => made(document.createElementNS(MATHML, tag), {}, children);

// Text for the graph, typeset as mathematics: single letters in italics, Unicode subscripts and superscripts as smaller digits.
function mathText(parent, text) {
  parent.textContent = "";
  for (const [piece] of text.matchAll(/[₀-₉]+|[⁰¹²³⁴-⁹]+|[A-Za-z]+|[^A-Za-z₀-₉⁰¹²³⁴-⁹]+/g)) {
    const subscript = [...piece].map(c => "₀₁₂₃₄₅₆₇₈₉".indexOf(c)), superscript = [...piece].map(c => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c));
    if (subscript[0] >= 0) parent.append(...shifted(subscript.join(""), 0.2));
    else if (superscript[0] >= 0) parent.append(...shifted(superscript.join(""), -0.4));
    else if (/^d?[A-Za-z]$/.test(piece)) parent.append([...piece].map(italic).join(""));
    else parent.append(piece);
  }
  return parent;
}

// Digits below or above the line, and an empty piece that comes back to it.
function shifted(digits, em) {
  return [svg("tspan", { class: "small", dy: `${em / 0.72}em` }, digits), svg("tspan", { dy: `${-em}em` }, "\u200b")];
}

const ITALIC_A = 0x1d44e, ITALIC_CAPITAL_A = 0x1d434;

function italic(letter) {
  if (letter === "h") return "ℎ";
  const capital = letter < "a";
  return String.fromCodePoint((capital ? ITALIC_CAPITAL_A - 65 : ITALIC_A - 97) + letter.charCodeAt(0));
}
