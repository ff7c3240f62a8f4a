// What the book needs of each figure without a browser: its still picture, and its numbers at its start and at two other states.

import { FIGURES } from "./all.js";

const WIDTH = 620; // pixels of a still picture

const numbersOf = ({ start, others, facts }) => [start, ...others].map(state => ({ state, numbers: facts(state) }));

export default Object.fromEntries(Object.entries(/** @type {any} */ (FIGURES)).map(([name, figure]) => {
  const { does, wide = false, still, picture, says } = figure;
  return [name, { does, wide, picture: picture(still, WIDTH), said: says(still), facts: numbersOf(figure) }];
}));
