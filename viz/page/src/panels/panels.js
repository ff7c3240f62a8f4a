// The panels of the page: PANELS.graph(element, run, player) returns { show(frame), … }.

import { barPanel } from "./bar.js";
import { checksPanel } from "./checks.js";
import { codePanel } from "./code.js";
import { computedPanel } from "./computed.js";
import { entriesPanel } from "./entries.js";
import { equationPanel } from "./equation.js";
import { graphPanel } from "./graph.js";
import { memoryPanel } from "./memory.js";
import { narrationPanel } from "./narration.js";
import { overviewPanel } from "./overview.js";
import { pathsPanel } from "./paths.js";
import { plotPanel } from "./plot.js";
import { questionPanel } from "./question.js";
import { ratiosPanel } from "./ratios.js";
import { statePanel } from "./state.js";
import { stripPanel } from "./strip.js";
import { updatePanel } from "./update.js";
import { wordsPanel } from "./words.js";

export const PANELS = {
  bar: barPanel,
  checks: checksPanel,
  code: codePanel,
  computed: computedPanel,
  entries: entriesPanel,
  equation: equationPanel,
  graph: graphPanel,
  memory: memoryPanel,
  narration: narrationPanel,
  overview: overviewPanel,
  paths: pathsPanel,
  plot: plotPanel,
  question: questionPanel,
  ratios: ratiosPanel,
  state: statePanel,
  strip: stripPanel,
  update: updatePanel,
  words: wordsPanel,
};
