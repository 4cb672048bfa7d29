// "Try it": the reader changes a number, and the game is played again in a Worker, here in the page.
const inflated = async (text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
const signed = (points) => `${points < 0 ? "\u2212" : "+"}${Math.abs(points).toFixed(1)}`;
const STEPS = [2000, 10000, 25000, 50000]; // games after which the answer is shown

// The interval of a rate (Wilson 1927), at 95 %.
const rateInterval = (wins, n) => {
  const z = 1.96, middle = (wins + z * z / 2) / (n + z * z);
  const half = z / (n + z * z) * Math.sqrt(wins * (n - wins) / n + z * z / 4);
  return [middle - half, middle + half];
};
// The interval of the difference of two rates from the same games (Bonett and Price 2012), at 95 %.
const pairedInterval = (gained, lost, n) => {
  const up = (gained + 1) / (n + 2), down = (lost + 1) / (n + 2);
  const half = 1.96 * Math.sqrt((up + down - (up - down) ** 2) / (n + 2));
  return [Math.max(-1, up - down - half), Math.min(1, up - down + half)];
};

class PlayPanel {
  constructor(element) {
    this.element = element;
    this.played = new Map(); // won and endings of the games played so far, by level and change
    this.waiting = new Map();
    this.job = 0;
  }

  async open() {
    if (this.worker) return;
    const data = JSON.parse(this.element.querySelector("script").textContent);
    this.data = data;
    const url = URL.createObjectURL(new Blob([document.getElementById("play-worker").textContent]));
    this.worker = new Worker(url);
    this.worker.onmessage = ({data: answer}) => this.receive(answer);
    const [module, box, workspace] = await Promise.all([data.module, data.box, data.workspace].map(inflated));
    this.seats = {};
    for (const [level] of data.levels) this.seats[level] = await inflated(data.seats[level]);
    const seatsSize = Object.values(this.seats)[0].length;
    const layout = {};
    for (const name of ["columns", "seed", "maxSteps", "faultAt", "digestAt", "competitive"]) layout[name] = data[name];
    this.worker.postMessage({load: {module, box, workspace, seatsSize, layout}});
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
    const select = (name, options, chosen) => {
      const field = document.createElement("select");
      options.forEach(([value, text]) => field.add(new Option(text, value, value === chosen, value === chosen)));
      return this.addField(controls, name, field);
    };
    this.level = select("players", data.levels, this.element.dataset.level);
    this.sliders = data.sliders.map((slider, number) => {
      const field = Object.assign(document.createElement("input"), {type: "range", min: 0, max: slider.values.length - 1, value: slider.own});
      field.addEventListener("input", () => { this.sliders.forEach((other, i) => { if (i !== number) other.value = data.sliders[i].own; }); this.showValues(); });
      return this.addField(controls, slider.label, field, true);
    });
    this.button = Object.assign(document.createElement("button"), {type: "button", textContent: "Stop"});
    this.button.addEventListener("click", () => { this.asked = null; this.worker.postMessage({stop: true}); this.button.disabled = true; });
    controls.append(this.button);
    this.showValues();
  }

  addField(controls, name, field, hasOutput = false) {
    const label = document.createElement("label");
    label.append(name, field);
    if (hasOutput) label.append(document.createElement("output"));
    field.addEventListener("change", () => this.update());
    controls.append(label);
    return field;
  }

  showValues() {
    this.sliders.forEach((field, i) => {
      const slider = this.data.sliders[i], text = slider.values[field.value];
      field.nextElementSibling.textContent = Number(field.value) === slider.own ? `${text} (as printed)` : text;
      field.setAttribute("aria-valuetext", text);
    });
  }

  // The number that is changed, or undefined if the game is played as it is printed.
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
      const answer = await this.ask({patch, seats: this.seats[level], start, stop: first ? this.data.verified : stop});
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
    const wins = count(before.won), [low, high] = rateInterval(wins, n);
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
    const code = document.createElement("code"), players = this.level.value;
    code.textContent = `${this.data.replay} --strategy ${players} --game ${number} --set ${change.slider.path}=${value}`;
    place.replaceChildren(`Game ${number} is the first that ends otherwise. Read it with `, code);
  }

  showEndings(before, after, n) {
    const tally = (found) => { const counts = this.data.endings.map(() => 0); found.endings.subarray(0, n).forEach((e) => counts[e]++); return counts; };
    const old = tally(before), now = after && tally(after), body = this.element.querySelector("tbody");
    body.replaceChildren(...this.data.endings.flatMap((name, i) => {
      if (!old[i] && !now?.[i]) return [];
      const row = document.createElement("tr"), head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      row.append(head);
      for (const count of now ? [old[i], now[i]] : [old[i]]) row.insertCell().textContent = percent(count / n);
      return [row];
    }));
    this.element.querySelector("table").hidden = false;
  }
}

const join = (a, b) => { const whole = new Uint8Array(a.length + b.length); whole.set(a); whole.set(b, a.length); return whole; };

const panels = [...document.querySelectorAll("details.play")].map((element) => {
  const panel = new PlayPanel(element);
  element.hidden = !("DecompressionStream" in globalThis && "WebAssembly" in globalThis);
  element.addEventListener("toggle", () => { if (element.open) panel.open().then(() => panel.update()); });
  return panel;
});
// index.html#verify: every value of every slider is played, and the verdicts are written into the page.
if (location.hash === "#verify") (async () => {
  for (const panel of panels) {
    panel.element.hidden = false;
    await panel.open();
    const verdicts = [];
    for (const [level] of panel.data.levels) {
      for (const slider of [undefined, ...panel.data.sliders]) {
        for (const value of slider ? slider.values.keys() : [0]) {
          if (slider?.refused[value]) continue;
          const change = slider && value !== slider.own ? {slider, value} : undefined;
          try {
            const found = await panel.playTo(level, change, panel.data.verified);
            verdicts.push({level, path: slider?.path, value, wins: found.won.reduce((a, b) => a + b, 0), ms: found.ms});
          } catch (error) {
            verdicts.push({level, path: slider?.path, value, error: error.message});
          }
        }
      }
    }
    panel.element.dataset.verdicts = JSON.stringify(verdicts);
  }
  document.documentElement.dataset.verified = "done";
})();
