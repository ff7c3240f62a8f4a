// What pages of graphs with folded loops need more.

import { addLoops } from "./loops/register.js";
import { beforeStart } from "./start.js";
import { withPasses } from "./loops/passes.js";

addLoops();
beforeStart(withPasses);
