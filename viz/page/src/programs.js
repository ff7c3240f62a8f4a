// The live programs of the page's graphs. Python writes them, and they stand before this script as the function `programsOf`.

import { functions } from "./functions.js";

export const programs = programsOf(functions);
