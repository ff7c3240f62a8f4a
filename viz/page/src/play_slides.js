// What slides need more.

import { makeSlides } from "./slides.js";
import { whenStarted } from "./start.js";

whenStarted((player, data) => makeSlides(player, data.slides));
