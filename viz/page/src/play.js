// The page that plays backpropagation, step by step.

import { start } from "./start.js";

start();
