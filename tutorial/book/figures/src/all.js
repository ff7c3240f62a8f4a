// The figures of the book by their names.

import { tangent } from "./tangent.js";
import { walks } from "./walks.js";

export const FIGURES = { tangent, walks };
