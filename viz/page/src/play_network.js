// What pages of networks of arrays need more.

import { addNetworks } from "./network/register.js";

addNetworks();
