// The teacher's panel of a chapter: a clock against a plan of twenty minutes or of the whole chapter, the goal, what to reply to each wrong
// prediction, and what to print.

import { all, find, html } from "../../../viz/page/src/dom.js";
import { button } from "../../playground/src/button.js";
import { SITE, shownChapter } from "./chapters.js";
import { uncoverAll } from "./cover.js";
import { goTo } from "./place.js";
import { planOf, shortPlanOf } from "./plans.js";
import { QUESTIONS } from "./tasks.js";

const FOR_EACH_CHAPTER = [["answers.html", "the answers"], ["teachers.html", "the teacher's page"]];

export function makeTeacherPanel() {
  if (!shownChapter) return;
  const close = button("✕", { "aria-label": "close" }, () => toggle(false)), panel = makePanel(shownChapter, close);
  const open = button("For teachers", { class: "teach", "aria-expanded": "false", "aria-controls": panel.id }, () => {
    find("#__navigation").checked = false; // on a phone the sidebar covers the page
    toggle(panel.hidden);
  });
  const toggle = on => {
    panel.hidden = !on;
    open.ariaExpanded = String(on);
    document.body.classList.toggle("teaching", on);
    if (on) uncoverAll();
    dispatchEvent(new Event("resize")); // the text is narrower: what scrolls now can be reached by keys
    (on ? close : open).focus();
  };
  panel.addEventListener("keydown", event => event.key === "Escape" && toggle(false));
  find(".sidebar-foot").prepend(open);
  document.body.append(panel);
}

function makePanel(chapter, close) {
  const toPrint = [...chapter.prints.map(([name, text]) => [`teachers/${name}.html`, text]), ...FOR_EACH_CHAPTER];
  const links = toPrint.map(([name, text]) => html("li", {}, html("a", { href: new URL(name, SITE).href }, text)));
  const { time, start, choices, table } = makeClock(chapter);
  return html("aside", { id: "teacher", "aria-label": "For teachers", hidden: "" },
    html("div", { class: "teacher-head" }, html("b", {}, "For teachers"), close), time, start,
    html("h3", {}, "Plan"), html("div", { class: "plans", role: "group", "aria-label": "which plan" }, ...choices), table,
    html("h3", {}, "Goal"), html("p", {}, `Each learner can ${goalHere()}`),
    html("h3", {}, "If they say …"), html("ul", {}, ...repliesHere()),
    html("h3", {}, "To print"), html("ul", {}, ...links),
  );
}

// Return the clock and its button, the buttons of the two plans, and the table of the one that is chosen.
function makeClock(chapter) {
  const [short, whole] = [shortPlanOf(chapter), planOf(chapter)];
  const plans = [short, whole].map(rows => ({ rows, shown: rows.map(planRow), minutes: lengthOf(rows) }));
  const time = html("output", { class: "clock" }), table = html("table");
  const names = ["20 minutes", `whole chapter, ${plans[1].minutes} min`];
  const choices = names.map((name, k) => button(name, {}, () => choose(plans[k])));
  let plan = plans[0], passed = 0, since = 0;
  /** @type {ReturnType<typeof setInterval> | null} */
  let ticking = null;
  function show() {
    const seconds = passed + (ticking === null ? 0 : (Date.now() - since) / 1000);
    time.textContent = `${asClock(seconds)} of ${plan.minutes}:00`;
    const now = plan.rows.findLastIndex(row => row.minutes && row.from * 60 <= seconds);
    plan.shown.forEach((row, k) => row.classList.toggle("now", k === now));
  }
  function choose(other) {
    plan = other;
    table.replaceChildren(...plan.shown);
    choices.forEach((choice, k) => (choice.ariaPressed = String(plans[k] === plan)));
    show();
  }
  const start = button("start", {}, () => {
    if (ticking === null) {
      [since, ticking] = [Date.now(), setInterval(show, 1000)];
    } else {
      clearInterval(ticking);
      [passed, ticking] = [passed + (Date.now() - since) / 1000, null];
    }
    start.textContent = ticking === null ? "start" : "stop";
    show();
  });
  choose(plan);
  return { time, start, choices, table };
}

const lengthOf = rows => rows.at(-1).from + rows.at(-1).minutes;
const asClock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const planRow = ({ title, minutes, from, at }) =>
  html("tr", {}, html("td", {}, ...(at ? [leadTo(title, at)] : title)), html("td", {}, `${minutes} min`), html("td", {}, `${from}:00`));

// Return a link to the element of a row of the plan.
function leadTo(title, at) {
  const link = html("a", { href: `#${at.closest("[id]").id}` }, ...title);
  link.addEventListener("click", event => {
    event.preventDefault();
    goTo(at, at.offsetHeight < innerHeight ? "center" : "start");
  });
  return link;
}

// Return the goal: the sentence that begins with "You will be able to".
function goalHere() {
  const said = all("article p > strong").find(text => text.textContent === "You will be able to")?.parentElement;
  return said ? /able to\s+([^]*?)\s*Time:/.exec(said.textContent)?.[1] ?? "" : "";
}

// Return an item for each wrong choice: what learners say, and the reply of the page.
function repliesHere() {
  const wrong = form => all(".reply", form).filter(reply => reply.dataset.choice !== form.dataset.right);
  const copies = (element, leftOut) => [...element.childNodes].filter(node => node.nodeName !== leftOut).map(node => node.cloneNode(true));
  return all(QUESTIONS).flatMap(wrong).map(reply => {
    const said = copies(reply.previousElementSibling, "INPUT"), answer = [...reply.children].filter(part => part.nodeName !== "SUMMARY");
    return html("li", {}, html("b", {}, ...said), ...answer.map(part => part.cloneNode(true)));
  });
}
