// What slides need more.

import { makeSlides } from "./slides.js";
import { whenStarted } from "./start.js";

whenStarted(makeSlides);
