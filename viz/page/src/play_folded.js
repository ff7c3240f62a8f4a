// What pages of large graphs with scopes need more, which can be opened and closed.

import { FOLDED } from "./panels/graph.js";
import { makeFolded, paintBundle, paintClosed, paintOpen } from "./graph/folded_graph.js";

Object.assign(FOLDED, { makeFolded, paintBundle, paintClosed, paintOpen });
