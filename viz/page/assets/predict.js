// Predict mode: the page asks for the next total derivative before it shows it.

const ENOUGH_DIGITS = 3; // an answer with this many digits must be right in these digits only
const CLOSE = 1e-9; // relative error that is allowed where a number has more digits than are shown

// Return the numbers that were typed, each with the error that its digits allow. Numbers are 9, −2.5, 1e-3 and 1/3. viz/quiz.py reads
// answers in the same way: one table tests both.
function parseAnswer(text, count, isArray) {
  const words = isArray ? text.split(/[\][,;\s]+/).filter(Boolean) : [text.replace(/\s/g, "")];
  if (words.length !== count) throw new Error(`enter all ${count} entries row by row, for example 1 2; 3 4`);
  return words.map(parseNumber);
}

function parseNumber(word) {
  const text = word.replace(/−/g, "-").replace(/\p{Nd}/gu, digitOf), fraction = /^([+-]?\d+)\/([+-]?\d+)$/.exec(text);
  if (fraction && +fraction[2] !== 0) return { number: fraction[1] / fraction[2], slack: 0 };
  if (/^[+-]?(inf(inity)?|nan)$/i.test(text)) return { number: /nan/i.test(text) ? NaN : text[0] === "-" ? -Infinity : Infinity, slack: 0 };
  const written = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (!written || !(written[1] || written[2])) throw new Error(`“${word}” is not a number; write for example 9, −2.5 or 1/3`);
  const [, whole, decimals, power] = written, digits = (whole + decimals).replace(/^0+/, "").length;
  return { number: +text, slack: digits >= ENOUGH_DIGITS ? 10 ** ((+power || 0) - decimals.length) / 2 : 0 };
}

// Return the value of a digit of any script: Unicode lists the ten digits of a script in a row, from 0 on.
function digitOf(digit) {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(digit.codePointAt(0) - before - 1))) before++;
  return before % 10;
}

// `exact`: the right number is an integer or a fraction, and every digit of the answer counts.
function agrees({ number, slack }, right, exact) {
  right = Number(right === "inf" ? Infinity : right === "-inf" ? -Infinity : right);
  if (!Number.isFinite(number) || !Number.isFinite(right)) return Object.is(number, right);
  const least = exact ? Number.EPSILON * Math.abs(right) : Math.max(CLOSE * Math.abs(right), shownSlack(right));
  return Math.abs(number - right) <= Math.max(slack * (1 + CLOSE), least);
}

// The rounding error of the six digits that are shown.
const shownSlack = right => Math.abs(right - Number(right.toPrecision(6))) * (1 + CLOSE);

const agreesAll = (given, right, exact) => given.every((answer, k) => agrees(answer, right[k], exact));

function makePredict(form, run, go) {
  const label = find("label", form), input = find("#answer", form), verdict = find("#verdict", form), reveal = find("#reveal", form);
  const answered = new Set();
  let asked = null, on = false;

  form.addEventListener("submit", event => {
    event.preventDefault();
    if (!asked) return;
    if (answered.has(asked.step)) return leave();
    try {
      judge(parseAnswer(input.value, asked.right.length, run.variables[asked.variable].shape.length > 0));
    } catch (error) {
      say("again", error.message);
    }
  });
  reveal.addEventListener("click", leave);

  function judge(given) {
    answered.add(asked.step);
    const right = agreesAll(given, asked.right, asked.exact);
    const mistake = asked.mistakes.find(([numbers]) => agreesAll(given, numbers, asked.exact));
    say(right ? "right" : "wrong", right ? "Right: " : `Not ${input.value.trim()}: `, run.sentence(asked.why), ".", ...(right || !mistake ? [] : [" ", run.sentence(mistake[1])]));
    reveal.textContent = "continue";
    input.readOnly = true;
    reveal.focus();
  }

  function say(kind, ...parts) {
    verdict.className = kind;
    verdict.replaceChildren(...parts);
  }

  // Go to the step that was asked about.
  function leave() {
    const { step } = asked;
    answered.add(step);
    close();
    go(step);
  }

  function close() {
    asked = null;
    if (form.contains(document.activeElement)) document.activeElement.blur(); // the hidden field would take the next key until the next paint
    form.hidden = true;
    delete document.body.dataset.asking;
  }

  // Return whether step i still shows the total that step `step` completes.
  function shows(step, i) {
    return i === step || run.steps[i].x === run.steps[step].x;
  }

  return {
    get on() { return on; },
    get asking() { return asked !== null; },
    toggle() {
      on = !on;
      answered.clear();
      close();
    },
    close,
    // Stop asking: the answer may be shown.
    dismiss() {
      answered.add(asked.step);
      close();
    },
    // Return the first step between two steps that has an open question; undefined if there is none.
    between(from, to) {
      return on ? run.questions.find(({ step }) => step > from && step <= to && !answered.has(step))?.step : undefined;
    },
    // Return the step whose question must be answered before step i is shown, because step i shows the answer.
    before(i) {
      const { iteration } = run.steps[i];
      return on ? run.questions.find(({ step }) => step <= i && run.steps[step].iteration === iteration && !answered.has(step) && shows(step, i))?.step : undefined;
    },
    ask(step) {
      asked = run.questionAt.get(step);
      label.replaceChildren("What is ", run.formula(run.variables[asked.variable].total), "?");
      input.value = "";
      input.readOnly = false;
      input.placeholder = asked.right.length > 1 ? "1 2; 3 4" : "";
      reveal.textContent = "show answer";
      say("");
      form.hidden = false;
      document.body.dataset.asking = run.tensors ? "numbers" : "symbols numbers"; // the rows of the sum that are hidden: they would give the answer; for arrays the learner needs the rules
      input.focus();
    },
  };
}
