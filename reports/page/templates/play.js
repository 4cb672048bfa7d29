// "Try it": the reader changes a number, and the game is played again in a Worker, here in the page.
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
const signed = (points) => `${points < 0 ? "\u2212" : "+"}${Math.abs(points).toFixed(1)}`;
const WORLDS = 200, COMPARED = 400; // continuations of a step, and of each of two choices
const DRAWN = /^[ +|]|\s{3}|\.{3}/; // a line of a picture, which is not wrapped
const Z = 1.959964; // of intervals of 95 %
const STEPS = [2000, 10000, 25000, 50000]; // games after which the answer is shown

// The interval of the difference of two rates from the same games (Bonett and Price 2012), at 95 %.
const pairedInterval = (gained, lost, n) => {
  const up = (gained + 1) / (n + 2), down = (lost + 1) / (n + 2);
  const half = Z * Math.sqrt((up + down - (up - down) ** 2) / (n + 2));
  return [Math.max(-1, up - down - half), Math.min(1, up - down + half)];
};

const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const makeText = (lines) => make("pre", {}, ...lines.map((line) => make("span", {className: DRAWN.test(line) ? "drawn" : "", textContent: `${line}\n`})));
const makeWorker = (...texts) => new Worker(URL.createObjectURL(new Blob(texts)));
const textOf = (id) => document.getElementById(id).textContent;

// "Show me a game" and "Take a seat": a Worker of their own plays and tells.
class GameTeller {
  constructor(panel) {
    this.panel = panel;
    const part = panel.element.querySelector(".teller"), form = this.form = part.querySelector("form");
    for (const name of ["told", "steps", "options"]) this[name] = part.querySelector(`.${name}`);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.submitter.name === "sit") this.begin({sit: form.number.valueAsNumber, seat: Number(form.seat.value)});
      else this.show(form.number.valueAsNumber);
    });
    form.stop.addEventListener("click", () => this.finish("Stopped."));
  }

  show(number) {
    this.form.number.value = number;
    this.begin({show: number, worlds: WORLDS});
  }

  finish(text) {
    this.worker?.terminate();
    this.form.stop.disabled = true;
    this.options.replaceChildren();
    this.told.textContent = text;
  }

  // The first games of the setting are played and verified before one of them is told.
  async begin(ask) {
    const {panel} = this, {data} = panel, level = panel.level.value, change = panel.findChange(), asked = this.asked = {};
    this.finish("Playing \u2026");
    this.items = [];
    this.player = level;
    this.steps.replaceChildren();
    this.steps.ariaLive = "sit" in ask ? "polite" : "off";
    try {
      if (change?.slider.refused[change.value]) throw new Error(`This value cannot be played here: ${change.slider.refused[change.value]}`);
      while (!await panel.playTo(level, change, data.verified)); // stopped by a change of a slider
      if (this.asked !== asked) return;
      const loader = await inflated(textOf("play-loader")).text();
      this.worker = makeWorker("(async () => {", loader, textOf("play-worker"), textOf("play-teller"), "})();");
      this.worker.onmessage = ({data: answer}) => this.receive(answer);
      this.worker.onerror = () => this.receive({error: "the browser does not run MicroPython"});
      this.form.stop.disabled = false;
      const patch = change ? change.slider.patches[change.value] : [[], []];
      this.worker.postMessage({ask, start: {data, interpreter: textOf("play-interpreter"), level, patch}});
    } catch (error) { this.finish(`${error.message}.`); }
  }

  receive(answer) {
    if (answer.error) this.finish(`This game cannot be told here: ${answer.error}.`);
    if (answer.lines) this.addStep(answer);
    if (answer.ending) this.told.textContent = `Game ${this.form.number.value}: ${answer.ending} and ${this.items.length - 1} choices. The chances to win are being estimated.`;
    if (answer.chances) this.addChances(answer);
    if (answer.estimated) this.finish(this.told.textContent.replace("are being estimated", `are from ${WORLDS} continuations of each step, with intervals of 95 %`));
    if ("ask" in answer) this.offer(answer);
    if (answer.over) {
      this.told.textContent = `${answer.over}. What your choices were worth is being estimated.`;
      this.worker.postMessage({ask: {judge: COMPARED}});
    }
    if ("judged" in answer) this.addJudgement(answer);
    if (answer.judged_all) this.finish(this.told.textContent.replace("is being estimated", `stands at the end of the list, from ${COMPARED} continuations`));
  }

  addStep({step, lines, options = [], taken, kind, seat, draws = []}) {
    const item = make("div", {}), fold = (title, texts) => item.append(make("details", {}, make("summary", {textContent: title}),
      make("ul", {}, ...texts.map((text) => make("li", {textContent: text})))));
    if (lines.length) item.append(makeText(lines));
    if (options.length > 1) fold(`seat ${seat}, ${kind}: ${options.length} options`, options.map((text, i) => i === taken ? `${text} \u2190 taken` : text));
    if (draws.length) fold(draws.length > 1 ? `${draws.length} draws` : "1 draw", draws);
    if (step !== undefined) this.items[step] = item;
    this.steps.append(item);
  }

  addChances({chance, chances}) {
    const texts = chances.map(([wins, n], i) => {
      const [low, high] = n > 1 ? wilson(wins, n, Z) : [];
      return `${chances.length > 1 ? `seat ${i + 1} ` : ""}${percent(wins / n, 0)}${n > 1 ? ` (${percent(low, 0)} .. ${percent(high, 0)})` : ""}`;
    });
    this.items[chance].append(make("p", {className: "note", textContent: `Chance to win: ${texts.join(", ")}`}));
  }

  offer({kind, options, picture}) {
    this.told.textContent = `Your choice: ${kind}.`;
    const choose = (i) => { this.options.replaceChildren(); this.worker.postMessage({ask: {choose: i}}); };
    const buttons = options.map((text, i) => make("button", {type: "button", textContent: text, onclick: () => choose(i)}));
    this.options.replaceChildren(makeText(picture), ...buttons);
    buttons[0].focus({preventScroll: true});
    this.steps.scrollTop = this.steps.scrollHeight;
  }

  addJudgement({taken, advised, gained, lost, worlds}) {
    const [low, high] = pairedInterval(gained, lost, worlds), change = `${signed(100 * (gained - lost) / worlds)} points (${signed(100 * low)} .. ${signed(100 * high)})`;
    const verdict = taken === advised ? `, as the ${this.player} player would.` : `; the ${this.player} player would take \u201c${advised}\u201d. Your choice changed the chance to win by ${change}.`;
    this.steps.append(make("p", {textContent: `You chose \u201c${taken}\u201d${verdict}`}));
    this.steps.scrollTop = this.steps.scrollHeight;
  }
}

class PlayPanel {
  constructor(element) {
    this.element = element;
    if (element.querySelector(".teller")) this.teller = new GameTeller(this);
    this.played = new Map(); // won and endings of the games played so far, by level and change
    this.waiting = new Map();
    this.job = 0;
  }

  open() {
    if (this.worker) return;
    const data = JSON.parse(this.element.querySelector("script").textContent);
    this.data = data;
    this.worker = makeWorker(textOf("play-worker"));
    this.worker.onmessage = ({data: answer}) => this.receive(answer);
    this.worker.postMessage({load: data});
    this.addControls();
  }

  // Hands an answer to who asked; an error in loading, which nobody asked for, goes to all.
  receive(answer) {
    if (!answer.job) this.broken = answer.error;
    for (const [job, resolve] of this.waiting) {
      if (answer.job && answer.job !== job) continue;
      this.waiting.delete(job);
      resolve(answer);
    }
  }

  addControls() {
    const {data} = this, controls = this.element.querySelector(".controls");
    const select = (name, options, chosen) => this.addField(controls, name,
      make("select", {}, ...options.map(([value, text]) => new Option(text, value, value === chosen, value === chosen))));
    this.level = select("players", data.levels, this.element.dataset.level);
    this.sliders = data.sliders.map((slider, number) => {
      const marked = slider.values.map((text, i) => [i, i === slider.own ? `${text} (as it is)` : text]);
      const field = slider.named ? select(slider.label, marked, slider.own)
        : this.addField(controls, slider.label, make("input", {type: "range", min: 0, max: slider.values.length - 1, value: slider.own}), make("output"));
      field.addEventListener("input", () => { this.sliders.forEach((other, i) => { if (i !== number) other.value = data.sliders[i].own; }); this.showValues(); });
      return field;
    });
    const stop = () => { this.asked = null; this.worker.postMessage({stop: true}); this.button.disabled = true; };
    this.button = make("button", {type: "button", textContent: "Stop", onclick: stop});
    controls.append(this.button);
    this.showValues();
  }

  addField(controls, name, field, ...output) {
    field.addEventListener("change", () => this.update());
    controls.append(make("label", {}, name, field, ...output));
    return field;
  }

  showValues() {
    this.sliders.forEach((field, i) => {
      const slider = this.data.sliders[i], text = slider.values[field.value];
      if (slider.named) return;
      field.nextElementSibling.textContent = Number(field.value) === slider.own ? `${text} (as it is)` : text;
      field.setAttribute("aria-valuetext", text);
    });
  }

  // The number that is changed, or undefined if the game is played as it is.
  findChange() {
    const number = this.sliders.findIndex((field, i) => Number(field.value) !== this.data.sliders[i].own);
    return number < 0 ? undefined : {slider: this.data.sliders[number], value: Number(this.sliders[number].value)};
  }

  ask(request) {
    const job = ++this.job;
    if (this.broken) throw new Error(this.broken);
    return new Promise((resolve) => {
      this.waiting.set(job, resolve);
      this.worker.postMessage({play: {job, ...request}});
    });
  }

  // Plays up to `stop` games of one setting; returns false if this was stopped.
  async playTo(level, change, stop) {
    const key = JSON.stringify([level, change?.slider.path, change?.value]);
    if (!this.played.has(key)) this.played.set(key, {won: new Uint8Array(0), endings: new Uint8Array(0), ms: 0});
    const found = this.played.get(key), patch = change ? change.slider.patches[change.value] : [[], []];
    while (found.won.length < stop) {
      const start = found.won.length, first = start === 0;
      const answer = await this.ask({patch, level, start, stop: first ? this.data.verified : stop});
      if (answer.error) throw new Error(answer.error);
      if (answer.stopped) return null;
      if (first) this.verify(level, change, answer.digest);
      if (start !== found.won.length) continue; // another request played them meanwhile
      found.won = join(found.won, answer.won);
      found.endings = join(found.endings, answer.endings);
      found.ms += answer.ms;
    }
    return found;
  }

  // The first games must be those of the report, to the last choice; otherwise nothing is shown.
  verify(level, change, digest) {
    const expected = change ? change.slider.digests[level][change.value] : this.data.digests[level];
    if (digest !== expected) throw new Error("this browser plays other games than the report, so nothing is shown for this value");
  }

  async update() {
    const level = this.level.value, change = this.findChange(), asked = {};
    this.asked = asked;
    this.worker.postMessage({stop: true});
    this.button.disabled = false;
    const refused = change?.slider.refused[change.value];
    if (refused) return this.tell(`This value cannot be played here: ${refused}.`);
    this.tell("Playing …");
    try {
      for (const games of STEPS) {
        const before = await this.playTo(level, undefined, games);
        if (this.asked !== asked || !before) return;
        const after = change && await this.playTo(level, change, games);
        if (this.asked !== asked || after === null) return;
        this.show(before, after, change, Math.min(before.won.length, after ? after.won.length : Infinity));
      }
    } catch (error) {
      if (this.asked === asked) this.tell(`${error.message}.`, "refused");
    }
    this.button.disabled = true;
  }

  tell(text, state = "") {
    this.element.dataset.state = state;
    this.element.querySelector(".answer").textContent = text;
  }

  show(before, after, change, n) {
    const count = (bits) => bits.subarray(0, n).reduce((sum, bit) => sum + bit, 0);
    const wins = count(before.won), [low, high] = wilson(wins, n, Z);
    let text = `As printed, ${percent(wins / n)} of ${n.toLocaleString("en")} games are won (${percent(low)} .. ${percent(high)}).`;
    if (after) {
      let gained = 0, lost = 0, flipped = -1;
      for (let i = 0; i < n; i++) {
        if (after.won[i] === before.won[i]) continue;
        if (flipped < 0) flipped = i;
        if (after.won[i]) gained++; else lost++;
      }
      const [from, to] = pairedInterval(gained, lost, n), value = change.slider.values[change.value];
      text = `With ${change.slider.label} at ${value}, ${percent(count(after.won) / n)} of ${n.toLocaleString("en")} games are won instead of ${percent(wins / n)}: `
        + `${signed(100 * (gained - lost) / n)} points (${signed(100 * from)} .. ${signed(100 * to)}), ${gained.toLocaleString("en")} games gained and ${lost.toLocaleString("en")} lost.`;
      this.showFlipped(flipped, change, value);
    } else this.element.querySelector(".flipped").textContent = "";
    this.tell(`${text} Verified: the same games as the report.`, "verified");
    this.element.dataset.speed = Math.round(1000 * before.won.length / before.ms);
    this.showEndings(before, after, n);
  }

  showFlipped(number, change, value) {
    const place = this.element.querySelector(".flipped");
    if (number < 0) { place.textContent = "No game ends otherwise."; return; }
    const players = this.level.value;
    const code = make("code", {textContent: `${this.data.replay} --strategy ${players} --game ${number} --set ${change.slider.path}=${value}`});
    const button = make("button", {type: "button", textContent: "Show it here", onclick: () => this.teller.show(number)});
    place.replaceChildren(`Game ${number} is the first that ends otherwise. `, ...(this.teller ? [button, " or read"] : ["Read"]), " it with ", code);
  }

  showEndings(before, after, n) {
    const tally = (found) => { const counts = this.data.endings.map(() => 0); found.endings.subarray(0, n).forEach((e) => counts[e]++); return counts; };
    const old = tally(before), now = after && tally(after), body = this.element.querySelector("tbody");
    body.replaceChildren(...this.data.endings.flatMap((name, i) => {
      if (!old[i] && !now?.[i]) return [];
      const counts = now ? [old[i], now[i]] : [old[i]];
      return [make("tr", {}, make("th", {scope: "row", textContent: name}), ...counts.map((count) => make("td", {textContent: percent(count / n)})))];
    }));
    this.element.querySelector("table").hidden = false;
  }
}

const join = (a, b) => { const whole = new Uint8Array(a.length + b.length); whole.set(a); whole.set(b, a.length); return whole; };

const panels = [...document.querySelectorAll("details.play")].map((element) => {
  const panel = new PlayPanel(element);
  element.hidden = !("DecompressionStream" in globalThis && "WebAssembly" in globalThis);
  element.addEventListener("toggle", () => { if (element.open && !panel.asked) { panel.open(); panel.update(); } });
  return panel;
});
// index.html#verify: every value of every slider is played, and the verdicts are written into the page.
const verify = async (panel) => {
  panel.element.hidden = false;
  panel.open();
  const {data} = panel, verdicts = [];
  const settings = data.sliders.flatMap((slider) => slider.values.map((_, value) => ({slider, value}))
    .filter(({value}) => value !== slider.own && !slider.refused[value]));
  for (const [level] of data.levels) for (const change of [undefined, ...settings]) {
    const tried = {level, path: change?.slider.path, value: change?.value};
    try {
      const found = await panel.playTo(level, change, data.verified);
      verdicts.push({...tried, wins: found.won.reduce((a, b) => a + b, 0), ms: found.ms});
    } catch (error) { verdicts.push({...tried, error: error.message}); }
  }
  panel.element.dataset.verdicts = JSON.stringify(verdicts);
};
if (location.hash === "#verify") (async () => {
  for (const panel of panels) await verify(panel);
  document.documentElement.dataset.verified = "done";
})();
