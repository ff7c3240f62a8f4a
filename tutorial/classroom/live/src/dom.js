// Make elements. Text of people is always set as text; only what the server wrote itself, formulas and code, is read as HTML.

export const at = id => /** @type {any} */ (document.getElementById(id));

// Return an element with these properties, and in it these nodes and texts.
export function made(tag, properties = {}, ...inside) {
  const element = /** @type {any} */ (Object.assign(document.createElement(tag), properties));
  element.append(...inside.filter(part => part !== null));
  return element;
}

// Return an element that holds a question, a choice or a reply as the server wrote it.
export function written(tag, html, className = "") {
  const element = made(tag, { className });
  element.innerHTML = html;
  return element;
}

// Return what stands beside a question: its picture and its code, or nothing.
export function beside({ picture, said, code }) {
  if (!picture && !code) return null;
  return made("div", { className: "beside" }, picture ? made("img", { src: picture, alt: said || "a graph" }) : null,
    code ? made("pre", { tabIndex: 0 }, code) : null);
}
