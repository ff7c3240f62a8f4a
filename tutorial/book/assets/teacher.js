// The teacher's panel of a chapter: a clock against a plan of twenty minutes or of the whole chapter, the goal, what to reply to each wrong
// prediction, and what to print. teaching/short.py says which question, player and exercise the short plan takes.

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

const IN_CLASS = 8; // minutes: a longer exercise is homework, and in class the learners predict its number

// Return what an element shows, formulas included, without its tag, its icons and its links.
function contentOf(element) {
  const copy = element.cloneNode(true);
  for (const part of copy.querySelectorAll(".tag, .sd-summary-icon, .sd-summary-state-marker")) part.remove();
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  return [...(copy.querySelector(".sd-summary-text") ?? copy).childNodes];
}

// Return the plan of twenty minutes: [{ title, minutes, from, at }]. A row leads to the element `at` of the page.
function shortPlanOf({ short }) {
  const question = document.querySelectorAll("form.predict:not(.number)")[short.question - 1], frame = document.querySelectorAll("article iframe")[short.player - 1];
  const questions = [...document.querySelectorAll("#questions details")].filter(details => !details.parentElement.closest("details"));
  const ask = details => contentOf(details.querySelector("summary"));
  const steps = [
    [3, ["Ask: ", ...contentOf(question.querySelector("legend")), " Each learner writes down one choice."], question],
    [3, ["Show the result, and read out the reply to the choice that most learners made."], cellAfter(question) ?? question],
  ];
  const player = [6, [`Step through the player “${frame.title}” from where it opens.`], frame];
  const isAbove = frame.compareDocumentPosition(question) & Node.DOCUMENT_POSITION_FOLLOWING;
  steps.splice(isAbove ? 0 : steps.length, 0, player);
  steps.push([5, ...exerciseOf(short.exercise, questions, ask)]);
  steps.push([3, ["Ask before they leave: ", ...ask(questions[0])], questions[0]]);
  let from = 0;
  return steps.map(([minutes, title, at]) => ({ title, minutes, at, from: (from += minutes) - minutes }));
}

// Return what the class does in the minutes of the exercise, and where it stands. A chapter without one has work on paper, or a question.
function exerciseOf(number, questions, ask) {
  const exercise = document.getElementById(`exercise-${number}`), paper = document.querySelector("#exercise");
  if (!exercise) return paper ? [["Work on paper, alone or with a neighbour: the exercise."], paper] : [["Discuss in pairs: ", ...ask(questions[1])], questions[1]];
  const title = `“${exercise.querySelector(".exercise-title").lastChild.textContent.trim()}”`, minutes = parseInt(/\d+(?= minutes)/.exec(exercise.querySelector(".tag").textContent)[0]);
  if (minutes <= IN_CLASS) return [[`Exercise, alone or with a neighbour: ${title}`], exercise];
  const predicts = exercise.querySelector("form.predict");
  return [[`${predicts ? "Predict the number of" : "Read"} the exercise ${title}. The program is homework, ${minutes} minutes.`], predicts ?? exercise];
}

const asClock = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const planRow = part => made("tr", {}, made("td", {}, part.at ? leadTo(part) : part.title), made("td", {}, `${part.minutes} min`), made("td", {}, `${part.from}:00`));

// Return a link to the element of a row of the plan. A question that is folded opens.
function leadTo({ title, at }) {
  const link = made("a", { href: `#${at.closest("[id]").id}` }, ...title);
  link.addEventListener("click", event => {
    event.preventDefault();
    at.scrollIntoView({ block: at.offsetHeight < innerHeight ? "center" : "start" });
  });
  return link;
}

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
  const plans = [shortPlanOf(shownChapter), planOf(shownChapter)].map(parts => ({ parts, rows: parts.map(planRow), minutes: sumOf(parts.map(part => part.minutes)) }));
  let plan = plans[0];
  const time = made("output", { className: "clock" }), table = made("table");
  const names = ["20 minutes", `whole chapter, ${plans[1].minutes} min`];
  const choices = names.map((name, k) => made("button", { type: "button", onclick: () => choose(plans[k]) }, name));
  const start = made("button", { type: "button" }, "start"), close = made("button", { type: "button", ariaLabel: "close" }, "✕");
  const own = shownChapter.prints.map(([name, text]) => [`teachers/${name}.html`, text]);
  const toPrint = [...own, ["answers.html", "the answers"], ["teachers.html", "the teacher's page"]];
  const links = toPrint.map(([name, text]) => made("li", {}, made("a", { href: new URL(name, SITE).href }, text)));
  const panel = made("aside", { id: "teacher", ariaLabel: "For teachers", hidden: true },
    made("div", { className: "teacher-head" }, made("b", {}, "For teachers"), close), time, start,
    made("h3", {}, "Plan"), made("div", { className: "plans", role: "group", ariaLabel: "which plan" }, ...choices), table, made("h3", {}, "Goal"), made("p", {}, `Each learner can ${goalHere()}`),
    made("h3", {}, "If they say …"), made("ul", {}, ...repliesHere()), made("h3", {}, "To print"), made("ul", {}, ...links));
  let ticking = null, passed = 0, since = 0;
  function show() {
    const seconds = passed + (ticking === null ? 0 : (Date.now() - since) / 1000);
    time.textContent = `${asClock(seconds)} of ${plan.minutes}:00`;
    const now = plan.parts.findLastIndex(part => part.minutes && part.from * 60 <= seconds);
    plan.rows.forEach((row, k) => row.classList.toggle("now", k === now));
  }
  function choose(other) {
    plan = other;
    table.replaceChildren(...plan.rows);
    choices.forEach((choice, k) => (choice.ariaPressed = String(plans[k] === plan)));
    show();
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
  choose(plan);
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
