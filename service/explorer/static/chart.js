// The numbers of a search over its time, on a logarithmic axis: as service/pictures/curves.py draws them in notebooks.

const WIDTH = 640, HEIGHT = 220, LEFT = 46, RIGHT = 12, TOP = 24, BOTTOM = 34, MOST = 600;
const NAMES = ["proof", "disproof", "nodes"];
const POWERS = ["1", "10", "100", "1 k", "10 k", "100 k", "1 M"];

function element(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

export class Chart {
  constructor() {
    this.samples = [];
    this.title = element("title", {}, "Numbers of the search over time");
    this.figure = element("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img" });
    this.figure.setAttribute("aria-label", "Numbers of the search over time");
  }

  /** Takes up one moment: seconds, proof and disproof number (below 0: infinite), nodes. */
  add(sample) {
    const last = this.samples.at(-1);
    if (last && sample.seconds < last.seconds) return;
    this.samples.push(sample);
    if (this.samples.length > MOST) this.samples = this.samples.filter((_, index) => index % 2 === 0);
    if (this.samples.length > 1) this.draw();
  }

  draw() {
    const samples = this.samples, first = samples[0].seconds, last = samples.at(-1);
    const span = Math.max(1e-9, last.seconds - first);
    const largest = Math.max(10, ...samples.flatMap((sample) => NAMES.map((name) => sample[name])));
    const top = Math.log10(largest);
    const x = (sample) => LEFT + ((WIDTH - LEFT - RIGHT) * (sample.seconds - first)) / span;
    const y = (number) => TOP + (HEIGHT - TOP - BOTTOM) * (number < 0 ? 0 : 1 - Math.log10(Math.max(1, number)) / top);
    const label = (x, y, anchor, text) =>
      element("text", { class: "label", x, y, "font-size": 11, "text-anchor": anchor }, text);
    const parts = [this.title];
    for (let power = 0; power <= top; power += 1) {
      const level = y(10 ** power);
      parts.push(element("line", { class: "level", x1: LEFT, y1: level, x2: WIDTH - RIGHT, y2: level }));
      parts.push(label(LEFT - 6, level + 4, "end", POWERS[power] ?? `10^${power}`));
    }
    NAMES.forEach((name, number) => {
      const points = samples.map((sample) => `${x(sample).toFixed(1)},${y(sample[name]).toFixed(1)}`).join(" ");
      const start = LEFT + 110 * number;
      parts.push(element("polyline", { class: `series ${name}`, points }));
      parts.push(element("line", { class: `series ${name}`, x1: start, y1: 10, x2: start + 24, y2: 10 }));
      parts.push(label(start + 30, 14, "start", name));
    });
    parts.push(label(WIDTH - RIGHT, HEIGHT - 12, "end", `${span.toPrecision(3)} seconds`));
    const words = (number) => (number < 0 ? "infinite" : number.toLocaleString("en"));
    this.title.textContent = `Numbers of the search over time: ${words(last.nodes)} nodes, proof number ${words(last.proof)}, disproof number ${words(last.disproof)}`;
    this.figure.setAttribute("aria-label", this.title.textContent);
    this.figure.replaceChildren(...parts);
  }
}
