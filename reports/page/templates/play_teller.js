// Tells games in a Worker: the game's module plays, and its words, which are Python, tell. MicroPython and
// the Worker's script that plays stand before this one.
const HEAP_BYTES = 16 << 20;
let python;

// What Python calls. Numbers beyond 32 bits and lists go through text, bytes through files.
const kernel = {
  play(number, script, stopStep) {
    const {at, view, layout} = game, choices = JSON.parse(script), steps = at.workspace + layout.stepsAt;
    setNumbers(at.script, choices);
    setNumbers(steps, [0]);
    run(number, number + 1, {stopStep, scripted: choices.length, traced: layout.maxSteps});
    const taken = Number(view.getBigInt64(steps, true));
    const row = Array.from({length: layout.columns}, (_, i) => view.getInt32(at.rows + 4 * i, true));
    return JSON.stringify({row, choices: Array.from({length: taken}, (_, i) => Number(view.getBigInt64(at.trace + 8 * i, true)))});
  },
  roll(number, text) {
    const {at, view, layout} = game, {view: seat, fixed, forced, option, step, salt, worlds} = JSON.parse(text);
    setNumbers(at.rollouts, [seat, fixed, forced, option, step, layout.maxSteps, 0, worlds, salt]);
    run(number, number + 1, {rollouts: worlds});
    return JSON.stringify(Array.from({length: worlds}, (_, i) => Number(view.getBigInt64(at.script + 8 * i, true))));
  },
  read: (place, size, file) => python.FS.writeFile(file, game.bytes.subarray(game.at.workspace + place, game.at.workspace + place + size)),
  write: (place, byte) => { game.bytes[game.at.workspace + place] = byte; },
  move: (to, from, size) => game.bytes.copyWithin(game.at.workspace + to, game.at.workspace + from, game.at.workspace + from + size),
  post: (text) => self.postMessage(JSON.parse(text)),
};

const start = async ({data, interpreter, ...setting}) => {
  await load(data);
  prepare(setting);
  setNumbers(game.at.workspace + game.layout.logOnAt, [1]);
  python = await loadMicroPython({wasmBinary: await inflate(interpreter), heapsize: HEAP_BYTES, pystack: 16384, stdout: console.log});
  python.registerJsModule("kernel", kernel);
  python.FS.writeFile("/box", game.bytes.subarray(game.at.box, game.at.box + game.box.length));
  python.FS.writeFile("/layout", await inflate(data.layout));
  python.runPython(new TextDecoder().decode(await inflate(data.storyteller)));
};

self.onmessage = async ({data}) => {
  try {
    if (data.start) await start(data.start);
    python.globals.get("answer")(JSON.stringify(data.ask));
  } catch (error) {
    self.postMessage({error: String(error.message).trim().split("\n").pop()});
  }
};
