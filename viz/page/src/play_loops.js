// The page that plays backpropagation through a graph with folded loops: the page of other graphs, and what only loops need.

import { addLoops } from "./loops/register.js";
import { withPasses } from "./loops/passes.js";
import { start } from "./start.js";

addLoops();
start(withPasses);
