// The board under the hand: moves in steps by clicks, by dragging and by keys. Without this each step is a link.

const SMALL = 36;
/** Areas smaller than this, in pixels, are aimed at before they are played with a finger. */

const boardOf = (element) => element.closest("svg.board");

/** What can be clicked now: the first steps, and those that go on from the steps that were chosen. */
export function reachable(board) {
  return [...board.querySelectorAll("a.target, a.step")].filter(
    (link) => link.closest("g.choices:not(.first-choices):not(.open)") === null,
  );
}

/** One stop for the tabulator key, of all that can be clicked on a board. */
export function oneStop(board, focused = null) {
  for (const link of board.querySelectorAll("a.target, a.step")) link.setAttribute("tabindex", "-1");
  (focused ?? reachable(board)[0])?.setAttribute("tabindex", "0");
}

export const chosenSteps = (board) => board.querySelector("g.choices.open")?.dataset.chosen ?? "";

/** Shows what goes on from some steps, `e2` or `e7,e8`; nothing for no steps. */
export function choose(board, steps, { focus = false } = {}) {
  const before = chosenSteps(board);
  for (const group of board.querySelectorAll("g.choices:not(.first-choices)")) {
    group.classList.toggle("open", steps !== "" && group.dataset.chosen === steps);
  }
  board.classList.toggle("choosing", steps !== "");
  for (const link of board.querySelectorAll("a.step")) {
    link.classList.toggle("chosen", `${steps},`.startsWith(`${link.dataset.choose},`));
  }
  const first = steps ? board.querySelector("g.choices.open a") : board.querySelector(`a.step[data-choose="${CSS.escape(before)}"]`);
  oneStop(board, first);
  if (focus) first?.focus();
}

/** A click on a step: chooses it, or takes the choice back. */
export function clickStep(link, { focus = false } = {}) {
  const board = boardOf(link);
  choose(board, chosenSteps(board) === link.dataset.choose ? "" : link.dataset.choose, { focus });
}

/** Whether a tap on a small area was the first one, which only aims. */
export function aims(link, touched) {
  const board = boardOf(link);
  const small = touched && link.querySelector(".area").getBoundingClientRect().width < SMALL;
  if (!small || link.classList.contains("aimed")) return false;
  for (const other of board.querySelectorAll(".aimed")) other.classList.remove("aimed");
  link.classList.add("aimed");
  link.parentNode.append(link);
  return true;
}

let dragged = null;

/** Whether a click is the end of a drag, which is no click. */
export function endsDrag() {
  return dragged?.moving === true;
}

addEventListener("pointerdown", (event) => {
  const step = event.target.closest?.("svg.board a.step");
  dragged = null;
  if (!step || event.button || event.pointerType === "touch") return;
  const board = boardOf(step);
  const man = board.querySelector(`[data-man="${CSS.escape(step.dataset.at)}"]`);
  if (man && !step.closest("g.open")) dragged = { board, step, man, x: event.clientX, y: event.clientY, moving: false };
});

addEventListener("pointermove", (event) => {
  if (!dragged || !event.buttons) return;
  const dx = event.clientX - dragged.x, dy = event.clientY - dragged.y;
  if (!dragged.moving && Math.hypot(dx, dy) < 6) return;
  if (!dragged.moving) {
    dragged.moving = true;
    choose(dragged.board, dragged.step.dataset.choose);
    dragged.man.parentNode.append(dragged.man);
  }
  const scale = dragged.board.viewBox.baseVal.width / dragged.board.getBoundingClientRect().width;
  dragged.man.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
});

addEventListener("pointerup", (event) => {
  if (!dragged?.moving) return;
  const { man, board } = dragged;
  man.removeAttribute("transform");
  const link = document
    .elementsFromPoint(event.clientX, event.clientY)
    .map((element) => element.closest("a.target, a.step"))
    .find((found) => found?.closest("g.choices.open"));
  const done = dragged;
  setTimeout(() => {
    if (dragged === done) dragged = null;
    if (link) link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    else choose(board, "");
  });
});

addEventListener("dragstart", (event) => {
  if (event.target.closest?.("svg.board")) event.preventDefault();
});
