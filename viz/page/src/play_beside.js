// What pages that compare two loops need more.

import { comparisonPanel } from "./panels/comparison.js";
import { find, html } from "./dom.js";
import { PANELS } from "./panels/panels.js";

PANELS.comparison = comparisonPanel;
find("#player").append(html("section", {
  id: "beside", "data-panel": "comparison", "data-acts": "backward", class: "panel", "aria-labelledby": "beside-title", hidden: "",
}));
