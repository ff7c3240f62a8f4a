// The tasks of a page: to predict, to run, to step to the end, to repair.

import { all } from "../../../viz/page/src/dom.js";

export const QUESTIONS = "form.predict:not(.number)";
export const PLAYERS = "iframe[src*='players/']";
const TASKS = { predict: QUESTIONS, run: ".cell.live", steps: PLAYERS, repair: ".repair" }; // kind: its elements

// Return the tasks of this page as [{ name, element }].
export const tasksHere = () =>
  Object.entries(TASKS).flatMap(([kind, selector]) => all(selector).map((element, number) => ({ name: `${kind} ${number}`, element })));

// Tell of a task that the reader has done. Its number counts the tasks of this kind on the page, from 0.
export const tellDone = (kind, number) => document.dispatchEvent(new CustomEvent("done", { detail: { kind, number } }));
