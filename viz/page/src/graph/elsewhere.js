// Functions whose derivative another library computes, or code of the user. Their boxes have a colour and a label.

import { html } from "../dom.js";

// What a legend says of the labels in a run: [a span for each kind].
/** @param {Run} run */
export function elsewhereOf(run) {
  const kinds = new Map(run.variables.flatMap(({ elsewhere }) => (elsewhere ? [[elsewhere[0], elsewhere]] : [])));
  return [...kinds.values()].map(([kind, label]) => html("span", { class: `by-${kind}` }, ` ■ ${label}`));
}

// The classes of a variable's box.
/** @param {Variable} variable */
export const classOf = ({ elsewhere }) => (elsewhere ? ` by-${elsewhere[0]}` : "");

// What stands in the place of the formula of a derivative, and why the page cannot zoom in; null if the rule is known.
/** @param {Variable} variable */
export const saidOf = ({ elsewhere }) => (elsewhere ? `${elsewhere[3]} The page cannot look inside.` : null);
