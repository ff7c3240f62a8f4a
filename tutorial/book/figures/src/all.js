// The figures of the book by their names.

import { tangent } from "./tangent.js";

export const FIGURES = { tangent };
