// Make elements. Text of people is always set as text; only what the server wrote itself, formulas and code, is read as HTML.

export const at = id => /** @type {any} */ (document.getElementById(id));

export const LETTERS = "ABCDEFGH"; // of the choices, on the projector and on phones
const READABLE = 0.7; // pixels on a phone for each unit of a drawing, whose letters are 11 units high and more

// Return an element with these properties, and in it these nodes and texts.
export function made(tag, properties = {}, ...inside) {
  const element = /** @type {any} */ (Object.assign(document.createElement(tag), properties));
  element.append(...inside.filter(part => part !== null));
  return element;
}

// Return what the teacher types to do something with the journal of this class.
export const command = (what, { journal }) => `python -m tutorial teach ${what} ${/\s/.test(journal) ? `"${journal}"` : journal}`;

// Return an element that holds a question, a choice or a reply as the server wrote it.
export function written(tag, html, className = "") {
  const element = made(tag, { className });
  element.innerHTML = html;
  return element;
}

// Return what stands beside a question: its picture, its program and its formula, or nothing.
export function beside({ picture, said, size: [width, height] = [], code, formula }) {
  if (!picture && !code && !formula) return null;
  const image = picture ? made("img", { src: picture, alt: said || "a graph", width, height }) : null;
  for (const [name, size] of [["--least", width], ["--lowest", height]]) image?.style.setProperty(name, `${READABLE * size}px`);
  const frame = image ? made("div", { className: "picture", tabIndex: 0 }, image) : null;
  return made("div", { className: "beside" }, frame,
    code ? made("pre", { tabIndex: 0 }, code) : null, formula ? written("div", formula, "formula") : null);
}
