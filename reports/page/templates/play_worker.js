"use strict";
// Plays games in a Worker: loads the game's module once, then plays what it is asked for.
const PAGE_SIZE = 65536, STACK_SIZE = 2 << 20, CHUNK = 250, PAUSE_MS = 40;
const COLUMN = {ending: 0, winners: 2}, MAX_ROLLOUTS = 4096;
let game, stops = 0, queue = Promise.resolve();

const inflate = async (text) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
};

const load = async (data) => {
  const layout = data.kernel, [module, box, workspace] = await Promise.all([data.module, data.box, data.workspace].map(inflate));
  const seats = Object.fromEntries(await Promise.all(Object.entries(data.seats).map(async ([level, text]) => [level, await inflate(text)])));
  let end = STACK_SIZE;
  const reserve = (size) => { const start = end; end = (end + size + 63) & ~63; return start; };
  const at = {
    box: reserve(box.length), workspace: reserve(workspace.length), seats: reserve(Object.values(seats)[0].length), job: reserve(48), rollouts: reserve(72),
    script: reserve(8 * Math.max(layout.maxSteps, MAX_ROLLOUTS)), trace: reserve(8 * Math.max(layout.maxSteps, MAX_ROLLOUTS)),
    rows: reserve(4 * layout.columns * CHUNK), hashes: reserve(8 * CHUNK), result: reserve(64),
  };
  const memory = new WebAssembly.Memory({initial: Math.ceil(end / PAGE_SIZE)});
  const env = {
    __linear_memory: memory,
    __stack_pointer: new WebAssembly.Global({value: "i32", mutable: true}, STACK_SIZE),
    __indirect_function_table: new WebAssembly.Table({initial: 4, element: "anyfunc"}),
  };
  const {run} = new WebAssembly.Instance(new WebAssembly.Module(module), {env}).exports;
  game = {run, at, box, workspace, seats, layout, bytes: new Uint8Array(memory.buffer), view: new DataView(memory.buffer)};
};

const setNumbers = (place, numbers) => numbers.forEach((x, i) => game.view.setBigInt64(place + 8 * i, BigInt(x), true));

// Plays games, whose endings and winners are then in the rows, or rollouts of one game.
const run = (start, stop, {stopStep = -1, scripted = 0, traced = 0, rollouts = 0} = {}) => {
  const {at, view, layout} = game;
  setNumbers(at.job, [layout.seed, start, stop, layout.maxSteps, stopStep, 0]);
  const status = game.run(at.result, at.result + 16, at.box, at.workspace, at.seats, at.job, at.rollouts, at.script, at.trace,
    at.rows, at.hashes, stop - start, scripted, traced, rollouts);
  if (status || view.getBigInt64(at.workspace + layout.faultAt, true)) throw new Error("the game stopped with an error");
};

const prepare = ({patch, level}) => {
  const {at, bytes} = game;
  bytes.set(game.box, at.box);
  patch[0].forEach((place, i) => { bytes[at.box + place] = patch[1][i]; });
  bytes.set(game.seats[level], at.seats);
  bytes.set(game.workspace, at.workspace);
};

const play = async ({job, start, stop, ...setting}, stopsBefore) => {
  const {at, view, layout} = game;
  prepare(setting);
  const began = performance.now();
  const endings = new Uint8Array(stop - start), won = new Uint8Array(stop - start);
  for (let first = start, yielded = began; first < stop; first += CHUNK) {
    const last = Math.min(stop, first + CHUNK), n = last - first;
    run(first, last);
    const rows = new Int32Array(view.buffer, at.rows, layout.columns * n);
    for (let i = 0; i < n; i++) {
      endings[first - start + i] = rows[COLUMN.ending * n + i];
      const winners = rows[COLUMN.winners * n + i];
      won[first - start + i] = (layout.competitive ? winners & 1 : winners) ? 1 : 0;
    }
    if (performance.now() - yielded > PAUSE_MS) { // so that a message to stop gets through
      await new Promise((resolve) => setTimeout(resolve));
      yielded = performance.now();
      if (stops !== stopsBefore) return {job, stopped: true};
    }
  }
  const digest = view.getBigUint64(at.workspace + layout.digestAt, true).toString(16);
  return {job, endings, won, digest, ms: performance.now() - began};
};

self.onmessage = ({data}) => {
  if (data.stop) return void stops++;
  const stopsBefore = stops, job = data.play?.job ?? 0;
  queue = queue.then(() => data.load ? load(data.load) : play(data.play, stopsBefore))
    .then((answer) => answer && self.postMessage(answer), (error) => self.postMessage({job, error: error.message}));
  return queue;
};
