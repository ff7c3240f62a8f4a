// What the teacher does: each button and key asks the server, which tells all windows and phones.

import { post } from "./ask.js";

const [given, mode] = location.hash.slice(1).split("&");
export const token = given;
export const isPrivate = mode === "private";
const HEADERS = { "X-Token": token };

const lead = data => post("lead", data, HEADERS).catch(() => {}); // a step that does not fit now changes nothing
export const phase = (name, question = undefined) => lead({ do: "phase", phase: name, ...(question === undefined ? {} : { question }) });
export const turn = (what, on) => lead({ do: what, on });
export const step = (page, hash) => lead({ do: "step", page, step: hash });
export const forgetLost = () => lead({ do: "forget_lost" });
export const hand = ({ question, round }, choice, count) => lead({ do: "hand", question, round, choice, count });
export const lesson = () => fetch("lesson", { headers: HEADERS }).then(answer => (answer.ok ? answer.json() : Promise.reject(answer)));
