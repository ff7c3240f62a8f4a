// Other starting values: a field for each input, and a button that runs every act again from there.

import { finiteNumber } from "./answers.js";
import { button, html } from "./dom.js";
import { written } from "./numbers.js";
import { programs } from "./programs.js";
import { whyNotAt } from "./replay.js";

/** @param {Run} run */
export function makeStartValues(run, player) {
  const { inputs, start } = run.live;
  const fields = inputs.map((v, k) =>
    html("input", {
      inputmode: "decimal", autocomplete: "off", spellcheck: "false", "aria-label": run.variables[v].name, value: written(start[k]),
    }),
  );
  const fillFirst = () => programs[run.program].start.forEach((number, k) => (fields[k].value = written(number)));
  const verdict = html("p", { class: "wrong", role: "status" });
  const rows = inputs.map((v, k) => html("label", {}, run.whole(v), " = ", fields[k]));
  const form = html("form", { method: "dialog" },
    html("h2", {}, "Start with other numbers"), html("div", { class: "fields" }, ...rows), verdict, html("button", {}, "run again"), " ",
    button(fillFirst, {}, "first numbers"), " ", button(() => dialog.close(), {}, "close"));
  const dialog = html("dialog", { id: "start-dialog", "aria-label": "starting values" }, form);
  form.addEventListener("submit", event => {
    event.preventDefault();
    try {
      const x = fields.map(
        (field, k) =>
          [start[k], programs[run.program].start[k]].find(number => field.value === written(number)) ?? finiteNumber(field.value),
      );
      const why = whyNotAt(run, x);
      if (why) throw new Error(why);
      dialog.close();
      player.runAgain(x);
    } catch (error) {
      verdict.textContent = error.message;
    }
  });
  return { button: opener(dialog), dialog };
}

export const opener = dialog =>
  button(() => dialog.showModal(), { id: "start-values", "data-acts": "nudge use", "aria-haspopup": "dialog" }, "other numbers");
