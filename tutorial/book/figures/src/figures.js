// The script of a chapter that has figures. Each figure's own script stands after it.

import { all } from "../../../../viz/page/src/dom.js";
import { makeLive } from "./fig.js";

addEventListener("DOMContentLoaded", () => {
  for (const place of all("figure[data-figure]")) makeLive(place, figures[place.dataset.figure][place.dataset.figure]);
});
