// The page that plays backpropagation, step by step or as slides.

import { start } from "./start.js";

start();
