// A run has all that Python says of its graph.

import { Run as GraphRun } from "./run.js";

declare module "./run.js" {
  interface Run extends PageData {}
}

declare global {
  type Run = GraphRun;
}
