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

// Return what stands beside a question: its picture or its code, or nothing.
export function beside(question) {
  if (question.picture) return made("img", { className: "beside", src: question.picture, alt: question.said || "a graph" });
  return question.code ? made("pre", { className: "beside" }, question.code) : null;
}
