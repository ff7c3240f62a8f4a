// The teacher's panel of a chapter: a clock against the plan, the goal, what to reply to each wrong prediction, and what to print.

const TASK_WEIGHT = 600; // a task takes as long as so many characters of text

const sumOf = numbers => numbers.reduce((sum, number) => sum + number, 0);

// Return what a part weighs without its exercises, and the minutes that the exercises say.
function partOf(section) {
  const exercises = [...section.querySelectorAll(".exercise")], outside = element => !exercises.some(exercise => exercise.contains(element));
  const tasks = tasksHere().filter(({ element }) => section.contains(element) && outside(element));
  const weight = section.textContent.length - sumOf(exercises.map(exercise => exercise.textContent.length)) + TASK_WEIGHT * tasks.length;
  return { weight, own: sumOf(exercises.map(exercise => parseInt(/\d+(?= minutes)/.exec(exercise.querySelector(".tag").textContent)[0]))) };
}

// Return the plan [{ title, minutes, from }]: the minutes of the chapter, shared by what its parts hold, and those of its exercises.
function planOf(chapter) {
  const parts = [...document.querySelectorAll(".parts a")].map(link => {
    const title = [...link.childNodes].filter(node => !node.classList?.contains("tasks")).map(node => node.textContent).join("");
    return { title, ...partOf(document.getElementById(link.hash.slice(1))) };
  });
  const whole = sumOf(parts.map(part => part.weight));
  let before = 0, from = 0;
  return parts.map(({ title, weight, own }) => {
    const minutes = Math.round((chapter.minutes * (before + weight)) / whole) - Math.round((chapter.minutes * before) / whole) + own;
    before += weight;
    from += minutes;
    return { title, from: from - minutes, minutes };
  });
}

const asClock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const planRow = part => made("tr", {}, made("td", {}, part.title), made("td", {}, `${part.minutes} min`), made("td", {}, `${part.from}:00`));

// Return the goal: the sentence that begins with "You will be able to".
function goalHere() {
  const said = [...document.querySelectorAll("article p > strong")].find(text => text.textContent === "You will be able to")?.parentElement;
  return said ? /able to\s+([^]*?)\s*Time:/.exec(said.textContent)?.[1] ?? "" : "";
}

// Return an item for each wrong choice: what learners say, and the reply of the page.
function repliesHere() {
  return [...document.querySelectorAll("form.predict:not(.number)")].flatMap(form =>
    [...form.querySelectorAll(".reply")].filter(reply => reply.dataset.choice !== form.dataset.right).map(reply => {
      const said = [...reply.previousElementSibling.childNodes].filter(node => node.nodeName !== "INPUT").map(node => node.cloneNode(true));
      const answer = [...reply.children].filter(node => node.nodeName !== "SUMMARY").map(node => node.cloneNode(true));
      return made("li", {}, made("b", {}, ...said), ...answer);
    }),
  );
}

function makeTeacherPanel() {
  const plan = planOf(shownChapter), time = made("output", { className: "clock" }), rows = plan.map(planRow), minutes = sumOf(plan.map(part => part.minutes));
  const start = made("button", { type: "button" }, "start"), close = made("button", { type: "button", ariaLabel: "close" }, "✕");
  const toPrint = [["teachers.html", "the teacher's page"], ["teachers/handout.html", "the handout"], ["answers.html", "the answers"]];
  const links = toPrint.map(([name, text]) => made("li", {}, made("a", { href: new URL(name, SITE).href }, text)));
  const panel = made("aside", { id: "teacher", ariaLabel: "For teachers", hidden: true },
    made("div", { className: "teacher-head" }, made("b", {}, "For teachers"), close), time, start,
    made("h3", {}, "Plan"), made("table", {}, ...rows), made("h3", {}, "Goal"), made("p", {}, `Each learner can ${goalHere()}`),
    made("h3", {}, "If they say …"), made("ul", {}, ...repliesHere()), made("h3", {}, "To print"), made("ul", {}, ...links));
  let ticking = null, passed = 0, since = 0;
  function show() {
    const seconds = passed + (ticking === null ? 0 : (Date.now() - since) / 1000);
    time.textContent = `${asClock(seconds)} of ${minutes}:00`;
    const now = plan.findLastIndex(part => part.minutes && part.from * 60 <= seconds);
    rows.forEach((row, k) => row.classList.toggle("now", k === now));
  }
  start.addEventListener("click", () => {
    if (ticking === null) {
      [since, ticking] = [Date.now(), setInterval(show, 1000)];
    } else {
      clearInterval(ticking);
      [passed, ticking] = [passed + (Date.now() - since) / 1000, null];
    }
    start.textContent = ticking === null ? "start" : "stop";
    show();
  });
  show();
  return { panel, close };
}

addEventListener("DOMContentLoaded", () => {
  if (!shownChapter) return;
  const { panel, close } = makeTeacherPanel();
  const open = made("button", { type: "button", className: "teach", ariaExpanded: "false" }, "For teachers");
  open.setAttribute("aria-controls", panel.id);
  const toggle = on => {
    panel.hidden = !on;
    open.ariaExpanded = String(on);
    document.body.classList.toggle("teaching", on);
    dispatchEvent(new Event("resize")); // the text is narrower: what scrolls now can be reached by keys
    (on ? close : open).focus();
  };
  open.addEventListener("click", () => {
    document.querySelector("#__navigation").checked = false; // on a phone the sidebar covers the page
    toggle(panel.hidden);
  });
  close.addEventListener("click", () => toggle(false));
  panel.addEventListener("keydown", event => event.key === "Escape" && toggle(false));
  document.querySelector(".sidebar-foot").prepend(open);
  document.body.append(panel);
});
