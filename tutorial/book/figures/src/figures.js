// The script of a chapter that has figures.

import { all } from "../../../../viz/page/src/dom.js";
import { FIGURES } from "./all.js";
import { makeLive } from "./fig.js";

addEventListener("DOMContentLoaded", () => {
  for (const place of all("figure[data-figure]")) makeLive(place, FIGURES[place.dataset.figure]);
});
