// The page that plays backpropagation through a network of arrays: the page of other graphs, and what only networks need.

import { addNetworks } from "./network/register.js";
import { start } from "./start.js";

addNetworks();
start();
