// What the reader has done of the book: a bar, a mark for each chapter, and one for each task of this chapter. Only doing counts: to
// predict, to run, to step to the end, to repair. It stays in this browser.

import { all, find, html } from "../../../viz/page/src/dom.js";
import { addressOf, allChapters, shownChapter } from "./chapters.js";
import { TYPED, kept } from "./kept.js";
import { PLAYERS, tasksHere, tellDone } from "./tasks.js";

const links = new Map(); // the link of each chapter in the sidebar

// Return what is kept of a chapter: how many tasks it has, and the names of those that are done.
const keptOf = chapter => kept.read().done?.[chapter.page] ?? { of: 0, tasks: [] };
const isComplete = chapter => keptOf(chapter).of > 0 && keptOf(chapter).tasks.length >= keptOf(chapter).of;

export function hearWhatIsDone() {
  document.addEventListener("done", event => keepDone(/** @type {CustomEvent} */ (event).detail));
  addEventListener("message", hearPlayers);
}

function keepDone({ kind, number }) {
  if (!shownChapter) return;
  const { tasks: before } = keptOf(shownChapter), name = `${kind} ${number}`;
  if (before.includes(name)) return showProgress(); // told again while the page is made, when its other tasks may not be there yet
  const names = tasksHere().map(task => task.name), tasks = names.filter(known => known === name || before.includes(known));
  kept.write("done", { ...kept.read().done, [shownChapter.page]: { of: names.length, tasks } });
  showProgress();
}

// A player says that it stands at its last step. It is one of our frames, whatever its origin.
function hearPlayers({ source, data }) {
  const number = all(PLAYERS).findIndex(frame => frame.contentWindow === source);
  if (data?.done === "steps" && number >= 0) tellDone("steps", number);
}

export function makeProgress() {
  if (shownChapter) kept.write("here", shownChapter.page);
  dressLinks();
  if (shownChapter) listParts();
  const bar = html("progress", { max: allChapters.length, "aria-label": "progress in the book" });
  find(".sidebar-scroll").before(html("div", { class: "progress" }, bar, html("span")));
  const forget = html("button", { type: "button", class: "forget" }, "Forget my progress");
  forget.addEventListener("click", () => {
    if (!confirm("Forget your predictions and your progress in this book? Programs that you typed stay.")) return;
    kept.forget();
    location.reload();
  });
  const about = html("p", {}, "Your progress is kept in this browser and nowhere else.");
  find(".sidebar-sticky").append(html("div", { class: "sidebar-foot" }, about, forget));
  if (shownChapter) find(".mobile-header .header-left")?.append(`${shownChapter.number} of ${allChapters.length}`);
  showProgress();
  offerToGoOn();
}

// The links to chapters in the sidebar get a number in a circle, and their minutes.
function dressLinks() {
  for (const chapter of allChapters) {
    const link = all(".sidebar-tree a").find(found => found.href.replace(/#.*/, "") === addressOf(chapter));
    if (!link) continue;
    const title = html("span", { class: "chapter-title" }, ...link.childNodes);
    title.firstChild.textContent = title.firstChild.textContent.replace(/^\d+\.\s/, "");
    link.classList.add("chapter");
    link.append(html("span", { class: "mark" }), title, html("span", { class: "minutes" }, `${chapter.minutes} min`));
    links.set(chapter, link);
  }
}

// The parts of this chapter stand below its link, instead of at the right of the page.
function listParts() {
  const list = html("ul", { class: "parts" });
  for (const section of all("article section section[id]")) {
    const heading = find(":scope > h2", section);
    if (!heading) continue;
    const isTitle = node => !["section-number", "headerlink"].some(name => node.classList?.contains(name));
    const title = [...heading.childNodes].filter(isTitle).map(node => node.cloneNode(true));
    list.append(html("li", {}, html("a", { href: `#${section.id}` }, ...title, html("span", { class: "tasks" }))));
  }
  links.get(shownChapter)?.after(list);
  document.body.classList.add("with-parts");
}

function showProgress() {
  if (!find(".progress")) return; // a task that was done before is told before the sidebar is made
  allChapters.forEach(showChapter);
  const whole = allChapters.filter(isComplete).length, { tasks } = shownChapter ? keptOf(shownChapter) : {};
  const here = shownChapter ? `, and ${tasks.length} of ${tasksHere().length} tasks in this one` : "";
  find(".progress span").textContent = `${whole} of ${allChapters.length} chapters${here}`;
  find(".progress progress").value = allChapters.reduce((sum, c) => sum + keptOf(c).tasks.length / (keptOf(c).of || 1), 0);
  find(".forget").hidden = Object.keys(kept.read()).every(key => key.endsWith(TYPED));
  if (shownChapter) showTasks();
}

function showChapter(chapter) {
  const mark = find(".mark", links.get(chapter) ?? html("span"));
  if (!mark) return;
  mark.textContent = isComplete(chapter) ? "✓" : chapter.number;
  mark.title = isComplete(chapter) ? "all tasks done" : "";
  mark.classList.toggle("complete", isComplete(chapter));
}

function showTasks() {
  const done = keptOf(shownChapter).tasks;
  for (const place of all(".parts .tasks")) {
    const section = find(`[id="${place.parentElement.hash.slice(1)}"]`);
    const tasks = tasksHere().filter(({ element }) => section.contains(element));
    const count = tasks.filter(task => done.includes(task.name)).length;
    place.textContent = "✓".repeat(count) + "○".repeat(tasks.length - count);
    place.role = "img";
    place.ariaLabel = `${count} of ${tasks.length} tasks done`;
  }
}

// The front page offers the chapter where the reader left off; with ?go=on in its address the browser opens this chapter at once.
function offerToGoOn() {
  const left = allChapters.find(chapter => chapter.page === kept.read().here);
  if (!left || addressOf({ page: "index" }) !== location.href.replace(/[?#].*/, "").replace(/\/$/, "/index.html")) return;
  if (new URLSearchParams(location.search).get("go") === "on") location.replace(addressOf(left));
  const link = html("a", { href: addressOf(left) }, `Go on where you left off: chapter ${left.number}, ${left.title}`);
  find("article h1").after(html("p", { class: "go-on" }, link));
}
