// What the book needs of each figure without a browser: its still picture, and its numbers at its start and at two other states.

import { FIGURES } from "./all.js";

const WIDTH = 620; // pixels of a still picture

export default Object.fromEntries(
  Object.entries(/** @type {any} */ (FIGURES)).map(([name, { does, start, still, others, picture, says, facts }]) => [
    name,
    { does, picture: picture(still, WIDTH), said: says(still), facts: [start, ...others].map(state => ({ state, numbers: facts(state) })) },
  ]),
);
