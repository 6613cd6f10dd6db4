// Starts jobs and follows them: the job as the server shows it, and the numbers of its search over time.

import { Chart } from "./chart.js";
import { call, events, page, stream } from "./server.js";

let following = null;

/** Ends the following of a job; the job itself goes on. */
export function leave() {
  following?.abort();
  following = null;
}

/** One moment of a search, from a message of the progress of a solve. */
function numbers(message) {
  return {
    seconds: message.seconds ?? 0,
    proof: Number(message.proof ?? 0),
    disproof: Number(message.disproof ?? 0),
    nodes: Number(message.nodes ?? 0),
  };
}

const QUESTIONS = { exact: { exact: true }, win: { resultAtLeast: 1 }, draw: { resultAtLeast: 0 } };

/** Starts the job that a form asks for; its id. */
export async function start(form, position) {
  const fields = new FormData(form);
  const about = { game: position.dataset.game, position: position.dataset.position };
  if (form.dataset.start === "verify") {
    return (await call("Jobs/StartVerification", { ...about, rules: fields.get("rules") })).id;
  }
  const seconds = Number(fields.get("seconds"));
  if (!(seconds > 0)) throw new Error("The seconds of the job are a number above 0.");
  const question = { exact: true, budget: { seconds } };
  const moves = fields.get("question") === "moves";
  if (moves || form.dataset.start === "positions") {
    if (moves) question.budget.seconds = Math.max(0.5, seconds / fields.getAll("text").length);
    const header = { game: about.game, ...question, source: moves ? "the moves of a position" : "a played game" };
    return (await stream("Jobs/StartPositions", [{ header, texts: { positions: fields.getAll("text") } }])).id;
  }
  return (await call("Jobs/StartSolve", { ...about, ...QUESTIONS[fields.get("question")], budget: { seconds } })).id;
}

/**
 * Asks for a win within 1, 2, 3 ... plies until one is proved: the one before was refuted, so it is the shortest.
 * @returns {Promise<boolean>} whether it came to its end; false where the page was left before.
 */
export async function shortest(form, position, place) {
  const most = Number(new FormData(form).get("seconds"));
  if (!(most > 0)) throw new Error("The seconds of the job are a number above 0.");
  const { first, each } = form.dataset, { game, position: text } = position.dataset;
  const begin = performance.now();
  for (let plies = Number(first); plies < 200; plies += Number(each)) {
    const seconds = Math.max(0.1, most - (performance.now() - begin) / 1000);
    const asked = { game: `within:${plies}:${game}`, position: `${text} plies=${plies}`, atLeast: 1, budget: { seconds } };
    const { id } = await call("Jobs/StartSolve", asked);
    if (!(await follow(id, place))) return false;
    const { solveResult: result } = await call("Jobs/Get", { id });
    if (!/_DISPROVED$/.test(result?.status ?? "") || performance.now() - begin > 1000 * most) return true;
  }
  return true;
}

/**
 * Shows a job in a place of the page until it rests.
 * @returns {Promise<boolean>} whether it rests; false where the page was left before.
 */
export async function follow(id, place) {
  leave();
  const control = new AbortController(), chart = new Chart();
  following = control;
  const card = document.createElement("div"), frame = document.createElement("div");
  frame.className = "chart-frame";
  frame.id = "search-chart";
  place.replaceChildren(card, frame);
  const refresh = async () => {
    const shown = await page(`/jobs/${encodeURIComponent(id)}`);
    const part = shown.document.querySelector(".job") ?? shown.document.querySelector(".error");
    if (part && following === control) card.replaceChildren(part);
    card.querySelectorAll(".scripted").forEach((entry) => (entry.hidden = false));
  };
  try {
    for await (const { event, data } of events(`/v1/jobs/${encodeURIComponent(id)}/events`, control.signal)) {
      if (event === "failure") throw new Error(data.message);
      if (event === "job") {
        const progress = data.solveProgress;
        if (progress) {
          if (!chart.samples.length) (progress.course ?? []).map(numbers).forEach((sample) => chart.add(sample));
          chart.add(numbers(progress));
          if (chart.samples.length > 1 && !chart.figure.isConnected) frame.append(chart.figure);
        }
        await refresh();
      }
    }
    await refresh();
    return following === control;
  } catch (error) {
    if (control.signal.aborted) return false;
    throw error;
  }
}
