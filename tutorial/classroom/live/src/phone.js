// The page of a student: it shows the state that the server sends, and sends votes.

import { at, made } from "./dom.js";
import { connected, listen, post } from "./ask.js";
import { followed, leave } from "./phone_follow.js";
import { marked, question } from "./phone_question.js";
import { form } from "./phone_join.js";
import { leaveTest, test } from "./phone_test.js";

const KEY = "live-class", AGAIN = 2000; // milliseconds until a lost server is asked again
const kept = () => JSON.parse(localStorage.getItem(KEY) ?? "{}");
const keep = data => localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...data }));

// By the id a student votes. The page makes it, so that an answer that is lost on the way makes no second student.
const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");

let code = location.hash.slice(1) || kept().code || "", sid = kept().sid, source, shown = "";
const SAID = { 403: "That is not the code of this class.", 429: "Too many tries. Wait a minute." };
const AWAY = "The teacher's computer does not answer. Is this phone in the same Wi-Fi?";

const askCode = said => form(at("main"), code, said, enter);

// Join for the first time, as often as it takes until the teacher's computer answers.
function enter(given, name) {
  join(given, name, (said, status) => {
    if (status) return askCode(said);
    at("main").replaceChildren(words(said, "This page keeps trying."));
    setTimeout(() => enter(given, name), AGAIN);
  });
}

// Join, or come back. `failed` gets what to say if that is impossible.
async function join(given, name, failed) {
  try {
    sid ??= newId();
    const joined = await post("join", { code: given, sid, name });
    [code, sid] = [given, joined.sid];
    keep({ code, sid });
    history.replaceState(null, "", `#${code}`);
    hear();
  } catch (error) {
    failed(error.said || SAID[error.status] || AWAY, error.status);
  }
}

// Come back to the class of before, as often as it takes: a phone sleeps, a Wi-Fi breaks, the teacher's computer starts again.
function comeBack() {
  join(code, "", (said, status) => (status ? askCode(status === 403 ? "That class is over. Enter the code of the new one." : said)
    : setTimeout(comeBack, AGAIN)));
}

function hear() {
  source?.close();
  source = listen(`state?sid=${encodeURIComponent(sid)}`, show, () => setTimeout(comeBack, AGAIN));
}

const words = (title, text, name = "") => made("div", { className: "box" }, made("h2", {}, title), made("p", {}, text),
  name ? made("p", { className: "quiet" }, name) : null);

function show(state) {
  connected(true, "connected");
  if (state.phase === "elsewhere") {
    source.close();
    return at("main").replaceChildren(words("This class is open in another tab.", "Close this one, or load it again."));
  }
  document.body.classList.toggle("follows", state.phase === "follow");
  document.body.classList.toggle("tests", state.phase === "paced");
  if (state.phase === "follow") {
    shown = "";
    return followed(state, sid);
  }
  leave();
  if (state.phase === "paced") return void test(state, sid);
  leaveTest();
  const key = JSON.stringify([state.phase, state.question?.number, state.paused, state.answer]);
  if (key === shown && state.question) return marked(state);
  shown = key;
  if (state.phase === "join") at("main").replaceChildren(words("You are in.", "The next question comes here by itself.", state.name));
  else if (state.phase === "end") at("main").replaceChildren(words("Thank you.", "The class is over. You can close this page."));
  else at("main").replaceChildren(...question(state, sid));
  return marked(state);
}

addEventListener("offline", () => connected(false, ""));
addEventListener("online", () => source && comeBack());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && source) comeBack(); // a phone that slept
});
if (kept().sid && code === kept().code) comeBack();
else askCode("");
