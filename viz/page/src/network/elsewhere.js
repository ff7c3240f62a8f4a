// Functions whose derivative another library computes, or code of the user. Their boxes have a colour and a label.

// The classes of a variable's box.
/** @param {Variable} variable */
export const classOf = ({ elsewhere }) => (elsewhere ? ` by-${elsewhere[0]}` : "");

// What stands in the place of the formula of a derivative, and why the page cannot zoom in; null if the rule is known.
/** @param {Variable} variable */
export const saidOf = ({ elsewhere }) => (elsewhere ? `${elsewhere[3]} The page cannot look inside.` : null);
