// A teacher's plans of a chapter: of twenty minutes, and of the whole chapter. Each is a list of rows { title, minutes, from, at }: a title
// is a list of text and elements, and `at` is what the row leads to, if anything.

import { all, find } from "../../../viz/page/src/dom.js";
import { shared, sumOf, timed } from "./minutes.js";
import { cellAfter } from "./predictions.js";
import { QUESTIONS, tasksHere } from "./tasks.js";

const TASK_WEIGHT = 600; // a task takes as long as so many characters of text
const IN_CLASS = 8; // minutes: a longer exercise is homework, and in class the learners predict its number

// The minutes of the chapter, shared by what its parts hold, and those of its exercises.
export function planOf(chapter) {
  const parts = all(".parts a").map(link => ({
    title: [...link.childNodes].filter(node => !node.classList?.contains("tasks")).map(node => node.textContent),
    ...contentsOf(document.getElementById(link.hash.slice(1))),
  }));
  const minutes = shared(chapter.minutes, parts.map(part => part.weight));
  return timed(parts.map(({ title, own }, k) => ({ title, minutes: minutes[k] + own, at: null })));
}

// Return what a part weighs without its exercises, and the minutes that the exercises say.
function contentsOf(section) {
  const exercises = all(".exercise", section), outside = element => !exercises.some(exercise => exercise.contains(element));
  const tasks = tasksHere().filter(({ element }) => section.contains(element) && outside(element));
  const weight = section.textContent.length - sumOf(exercises.map(exercise => exercise.textContent.length)) + TASK_WEIGHT * tasks.length;
  return { weight, own: sumOf(exercises.map(minutesOf)) };
}

const minutesOf = exercise => Number(/(\d+) minutes/.exec(find(".tag", exercise).textContent)?.[1]);

// teaching/files.py says which question, player and exercise the plan of twenty minutes takes.
export function shortPlanOf({ short }) {
  const question = all(QUESTIONS)[short.question - 1], frame = all("article iframe")[short.player - 1];
  const questions = all("#questions details").filter(details => !details.parentElement.closest("details"));
  const ask = details => contentOf(find("summary", details));
  const rows = [
    { minutes: 3, title: ["Ask: ", ...contentOf(find("legend", question)), " Each learner writes down one choice."], at: question },
    {
      minutes: 3,
      title: ["Show the result, and read out the reply to the choice that most learners made."],
      at: cellAfter(question) ?? question,
    },
  ];
  const player = { minutes: 6, title: [`Step through the player “${frame.title}” from where it opens.`], at: frame };
  const isAbove = frame.compareDocumentPosition(question) & Node.DOCUMENT_POSITION_FOLLOWING;
  rows.splice(isAbove ? 0 : rows.length, 0, player);
  rows.push({ minutes: 5, ...exerciseOf(short.exercise, questions, ask) });
  rows.push({ minutes: 3, title: ["Ask before they leave: ", ...ask(questions[0])], at: questions[0] });
  return timed(rows);
}

// Return what an element shows, formulas included, without its tag, its icons and its links.
function contentOf(element) {
  const copy = element.cloneNode(true);
  for (const part of all(".tag, .sd-summary-icon, .sd-summary-state-marker", copy)) part.remove();
  for (const link of all("a", copy)) link.replaceWith(...link.childNodes);
  return [...(find(".sd-summary-text", copy) ?? copy).childNodes];
}

// Return what the class does in the minutes of the exercise, and where it stands. A chapter without one has work on paper, or a question.
function exerciseOf(number, questions, ask) {
  const exercise = find(`#exercise-${number}`), paper = find("#exercise");
  if (!exercise && paper) return { title: ["Work on paper, alone or with a neighbour: the exercise."], at: paper };
  if (!exercise) return { title: ["Discuss in pairs: ", ...ask(questions[1])], at: questions[1] };
  const title = `“${find(".exercise-title", exercise).lastChild.textContent.trim()}”`, minutes = minutesOf(exercise);
  if (minutes <= IN_CLASS) return { title: [`Exercise, alone or with a neighbour: ${title}`], at: exercise };
  const predicts = find("form.predict", exercise), does = predicts ? "Predict the number of" : "Read";
  return { title: [`${does} the exercise ${title}. The program is homework, ${minutes} minutes.`], at: predicts ?? exercise };
}
