// The book's pages: players follow the theme, and a cell after a question shows its result when the reader has predicted it.

const KEPT = "gradsteps.book", TYPED = " edited"; // the end of the keys of programs

function themePlayers() {
  for (const frame of document.querySelectorAll("iframe")) frame.contentWindow?.postMessage({ theme: document.body.dataset.theme }, "*");
}

const kept = {
  read() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {}; // this browser keeps nothing
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(KEPT, JSON.stringify({ ...this.read(), [key]: value }));
    } catch {}
  },
  // Forget what the reader has done. Programs that the reader typed stay.
  forget() {
    try {
      localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(Object.entries(this.read()).filter(([key]) => key.endsWith(TYPED)))));
    } catch {}
  },
};

// Tell the page's other scripts of a task that the reader has done. Its number counts the tasks of this kind on the page, from 0.
function tellDone(kind, number) {
  document.dispatchEvent(new CustomEvent("done", { detail: { kind, number } }));
}

// Return the cell whose result a question asks for.
function cellAfter(form) {
  let cell = form.nextElementSibling;
  while (cell && !cell.classList.contains("cell")) cell = cell.nextElementSibling;
  return cell;
}

// Return the number that a text writes, 9, -2.5 or 1/3; else nan.
function numberIn(text) {
  const parts = text.trim().replace("−", "-").split("/").map(part => (part.trim() ? Number(part) : NaN));
  return parts.length > 2 ? NaN : parts[0] / (parts[1] ?? 1);
}

// An exercise asks for a number. A wrong one may be followed by another; after the first one the check runs.
function beginNumber(form) {
  const key = `exercise-${form.dataset.exercise}`, field = form.elements.number, button = form.querySelector("button"), right = Number(form.dataset.number);
  form.classList.add("scripted");
  const answer = text => {
    const choice = Math.abs(numberIn(text) - right) <= 1e-9 * Math.max(1, Math.abs(right)) ? "right" : "wrong";
    for (const reply of form.querySelectorAll(".reply")) {
      reply.open = reply.dataset.choice === choice;
      reply.classList.add(reply.dataset.choice);
    }
    form.dataset.predicted = choice;
    kept.write(key, text);
  };
  field.addEventListener("input", () => (button.disabled = Number.isNaN(numberIn(field.value))));
  form.addEventListener("submit", event => {
    event.preventDefault();
    if (!button.disabled) answer(field.value);
  });
  const before = kept.read()[key];
  if (before) {
    field.value = before;
    answer(before);
  }
}

function begin(form, number) {
  const key = `${location.pathname.split("/").pop()}#${number}`;
  const cell = cellAfter(form);
  const button = form.querySelector("button");
  form.classList.add("scripted");
  cell?.classList.add("locked");
  const answer = choice => {
    for (const reply of form.querySelectorAll(".reply")) {
      reply.open = reply.dataset.choice === choice;
      reply.classList.add(reply.dataset.choice === form.dataset.right ? "right" : "wrong");
    }
    cell?.classList.remove("locked");
    kept.write(key, choice);
    tellDone("predict", number);
  };
  form.addEventListener("change", () => (button.disabled = false));
  form.addEventListener("submit", event => {
    event.preventDefault();
    answer(form.elements.choice.value);
  });
  const before = kept.read()[key];
  if (before) {
    form.elements.choice.value = before;
    answer(before);
  }
}

// What scrolls sideways can be reached by keys, and the theme's headings have a level.
function makeReachable() {
  for (const box of document.querySelectorAll("div.math, pre, .cell_output, .drawing, .table-wrapper")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  for (const heading of document.querySelectorAll("[role=heading]:not([aria-level])")) heading.ariaLevel = 2;
}

addEventListener("DOMContentLoaded", () => {
  for (const when of ["load", "resize"]) addEventListener(when, makeReachable);
  document.fonts.addEventListener("loadingdone", makeReachable);
  document.querySelectorAll("form.predict:not(.number)").forEach(begin);
  document.querySelectorAll("form.predict.number").forEach(beginNumber);
  new MutationObserver(themePlayers).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
  document.querySelectorAll("iframe").forEach(frame => frame.addEventListener("load", themePlayers));
});
