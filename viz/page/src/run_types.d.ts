import "./run.js";
declare module "./run.js" {
  interface Run extends PageData {}
}
