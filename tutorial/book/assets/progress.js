// What the reader has done of the book: a bar, a mark for each chapter, and one for each task of this chapter. Only doing counts: to predict,
// to run, to step to the end, to repair. It stays in this browser. `chapters` comes from the site: [{ page, number, title, minutes }].

const TASKS = { predict: "form.predict:not(.number)", run: ".cell.live", steps: "iframe[src*='players/']", repair: ".repair" }; // kind: its elements
const SITE = new URL(document.documentElement.dataset.content_root, location.href);
const addressOf = chapter => new URL(`${chapter.page}.html`, SITE).href;
const shownChapter = chapters.find(chapter => addressOf(chapter) === location.href.replace(/[?#].*/, ""));

// Return the tasks of this page as [{ name, element }].
function tasksHere() {
  return Object.entries(TASKS).flatMap(([kind, selector]) =>
    [...document.querySelectorAll(selector)].map((element, number) => ({ name: `${kind} ${number}`, element })),
  );
}

// Return what is kept of a chapter: how many tasks it has, and the names of those that are done.
const keptOf = chapter => kept.read().done?.[chapter.page] ?? { of: 0, tasks: [] };
const isComplete = chapter => keptOf(chapter).of > 0 && keptOf(chapter).tasks.length >= keptOf(chapter).of;

function keepDone({ detail: { kind, number } }) {
  if (!shownChapter) return;
  const names = tasksHere().map(task => task.name), name = `${kind} ${number}`;
  const tasks = names.filter(known => known === name || keptOf(shownChapter).tasks.includes(known));
  kept.write("done", { ...kept.read().done, [shownChapter.page]: { of: names.length, tasks } });
  showProgress();
}

// A player says that it stands at its last step. It is one of our frames, whatever its origin.
function hearPlayers({ source, data }) {
  const number = [...document.querySelectorAll(TASKS.steps)].findIndex(frame => frame.contentWindow === source);
  if (data?.done === "steps" && number >= 0) tellDone("steps", number);
}

const made = (tag, settings, ...children) => {
  const element = Object.assign(document.createElement(tag), settings);
  element.append(...children);
  return element;
};

// The links to chapters in the sidebar get a number in a circle, and their minutes.
function dressLinks() {
  for (const chapter of chapters) {
    const link = [...document.querySelectorAll(".sidebar-tree a")].find(link => link.href.replace(/#.*/, "") === addressOf(chapter));
    if (!link) continue;
    const title = made("span", { className: "chapter-title" }, ...link.childNodes);
    title.firstChild.textContent = title.firstChild.textContent.replace(/^\d+\.\s/, "");
    link.classList.add("chapter");
    link.append(made("span", { className: "mark" }), title, made("span", { className: "minutes" }, `${chapter.minutes} min`));
    chapter.link = link;
  }
}

// The parts of this chapter stand below its link, instead of at the right of the page.
function listParts() {
  const list = made("ul", { className: "parts" });
  for (const section of document.querySelectorAll("article section section[id]")) {
    const heading = section.querySelector(":scope > h2");
    if (!heading) continue;
    const title = [...heading.childNodes].filter(node => !node.classList?.contains("section-number") && !node.classList?.contains("headerlink"));
    list.append(made("li", {}, made("a", { href: `#${section.id}` }, ...title.map(node => node.cloneNode(true)), made("span", { className: "tasks" }))));
  }
  shownChapter.link?.after(list);
  document.body.classList.add("with-parts");
}

function showChapter(chapter) {
  const mark = chapter.link?.querySelector(".mark");
  if (!mark) return;
  mark.textContent = isComplete(chapter) ? "✓" : chapter.number;
  mark.title = isComplete(chapter) ? "all tasks done" : "";
  mark.classList.toggle("complete", isComplete(chapter));
}

function showTasks() {
  const done = keptOf(shownChapter).tasks;
  for (const place of document.querySelectorAll(".parts .tasks")) {
    const section = document.getElementById(place.parentElement.hash.slice(1));
    const tasks = tasksHere().filter(({ element }) => section.contains(element)), count = tasks.filter(task => done.includes(task.name)).length;
    place.textContent = "✓".repeat(count) + "○".repeat(tasks.length - count);
    place.role = "img";
    place.ariaLabel = tasks.length ? `${count} of ${tasks.length} tasks done` : "no tasks";
  }
}

function showProgress() {
  if (!document.querySelector(".progress")) return; // a task that was done before is told before the sidebar is made
  chapters.forEach(showChapter);
  const whole = chapters.filter(isComplete).length, { tasks } = shownChapter ? keptOf(shownChapter) : {};
  const here = shownChapter ? `, and ${tasks.length} of ${tasksHere().length} tasks in this one` : "";
  document.querySelector(".progress span").textContent = `${whole} of ${chapters.length} chapters${here}`;
  document.querySelector(".progress progress").value = chapters.reduce((sum, c) => sum + keptOf(c).tasks.length / (keptOf(c).of || 1), 0);
  document.querySelector(".forget").hidden = Object.keys(kept.read()).every(key => key.endsWith(TYPED));
  if (shownChapter) showTasks();
}

function makeProgress() {
  dressLinks();
  if (shownChapter) listParts();
  const bar = made("progress", { max: chapters.length, ariaLabel: "progress in the book" });
  document.querySelector(".sidebar-scroll").before(made("div", { className: "progress" }, bar, made("span")));
  const forget = made("button", { type: "button", className: "forget" }, "Forget my progress");
  forget.addEventListener("click", () => {
    if (!confirm("Forget your predictions and your progress in this book? Programs that you typed stay.")) return;
    kept.forget();
    location.reload();
  });
  const about = made("p", {}, "Your progress is kept in this browser and nowhere else.");
  document.querySelector(".sidebar-sticky").append(made("div", { className: "sidebar-foot" }, about, forget));
  if (shownChapter) document.querySelector(".mobile-header .header-left")?.append(`${shownChapter.number} of ${chapters.length}`);
}

// The front page offers the chapter where the reader left off; with ?go=on in its address the browser opens this chapter at once.
function offerToGoOn() {
  const left = chapters.find(chapter => chapter.page === kept.read().here);
  if (!left || addressOf({ page: "index" }) !== location.href.replace(/[?#].*/, "").replace(/\/$/, "/index.html")) return;
  if (new URLSearchParams(location.search).get("go") === "on") location.replace(addressOf(left));
  const link = made("a", { href: addressOf(left) }, `Go on where you left off: chapter ${left.number}, ${left.title}`);
  document.querySelector("article h1").after(made("p", { className: "go-on" }, link));
}

document.addEventListener("done", keepDone);
addEventListener("message", hearPlayers);
addEventListener("DOMContentLoaded", () => {
  if (shownChapter) kept.write("here", shownChapter.page);
  makeProgress();
  showProgress();
  offerToGoOn();
});
