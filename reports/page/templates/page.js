"use strict";
// Tables are sorted by the column that is pressed; pressed again, the other way round.
const sorted = (button) => {
  const head = button.closest("th"), body = head.closest("table").tBodies[0];
  const down = head.getAttribute("aria-sort") === "ascending";
  const value = (row) => row.cells[head.cellIndex].dataset.v ?? row.cells[head.cellIndex].textContent.trim();
  const order = (x, y) => {
    const a = value(x), b = value(y);
    if ((a === "") !== (b === "")) return a === "" ? 1 : -1; // what is not known stays at the end
    const known = a - b;
    return (Number.isNaN(known) ? a.localeCompare(b) : known) * (down ? -1 : 1);
  };
  const rows = [...body.rows].sort(order);
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows);
};
for (const button of document.querySelectorAll("th button")) button.addEventListener("click", () => sorted(button));

// Long tables are filtered by words that a row must have, all of them.
for (const box of document.querySelectorAll("details.table")) {
  const table = box.querySelector("table"), rows = [...table.tBodies[0].rows];
  if (rows.length < 9) continue;
  const count = box.querySelector(".count"), all = count.textContent;
  const field = Object.assign(document.createElement("input"), {className: "filter", type: "search", placeholder: "only rows with …"});
  field.setAttribute("aria-label", "Only rows with these words");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    const left = rows.filter((row) => !row.hidden).length;
    count.textContent = left === rows.length ? all : `${left} of ${rows.length} rows`;
  });
  box.querySelector(".scroll").before(field);
}

// What a part of a plot stands for is told where the pointer is.
const bubble = Object.assign(document.createElement("div"), {id: "tip", hidden: true});
document.body.append(bubble);
const tell = (event) => {
  const part = event.target.closest?.(".tip"), title = part?.querySelector("title");
  bubble.hidden = !part;
  if (!part) return;
  if (title) { // otherwise the browser would tell it once more
    part.dataset.tip = title.textContent;
    title.remove();
  }
  bubble.textContent = part.dataset.tip;
  bubble.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - bubble.offsetWidth - 8))}px`;
  const above = event.clientY - bubble.offsetHeight - 12;
  bubble.style.top = `${above > 4 ? above : event.clientY + 18}px`;
};
for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, tell);
document.addEventListener("scroll", () => { bubble.hidden = true; }, {passive: true});

// Two cells of a grid side by side: the difference of the games that both played, on the same luck.
const inflated = (text) => {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
};
const unpacked = (text) => inflated(text).json();
const wilson = (k, n, z) => {
  const middle = (k + z * z / 2) / (n + z * z), half = z * Math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z);
  return [k ? middle - half : 0, k < n ? middle + half : 1];
};
const paired = (both, a, b, n, z) => { // of A less B: Newcombe's method 10
  const margins = a * (n - b) * b * (n - a), surplus = both * (n - a - b + both) - (a - both) * (b - both);
  const phi = margins ? (surplus > 0 ? Math.max(surplus - n / 2, 0) : surplus) / Math.sqrt(a * (n - a)) / Math.sqrt(b * (n - b)) : 0;
  const [lowA, highA] = wilson(a, n, z), [lowB, highB] = wilson(b, n, z), value = (a - b) / n;
  const side = (x, y) => Math.sqrt(Math.max(x * x - 2 * phi * x * y + y * y, 0));
  return [value, value - side(a / n - lowA, highB - b / n), value + side(highA - a / n, b / n - lowB)];
};
const signed = (x, digits) => {
  const text = Math.abs(100 * x).toFixed(digits);
  return Number(text) === 0 ? text : (x < 0 ? "−" : "+") + text;
};
const controls = (data, name, start, changed) => {
  const side = document.createElement("fieldset"), inputs = [];
  side.append(Object.assign(document.createElement("legend"), {textContent: name}));
  data.paths.forEach((path, i) => {
    const label = Object.assign(document.createElement("label"), {textContent: path.name});
    const input = document.createElement(path.number ? "input" : "select");
    if (path.number) {
      const shown = document.createElement("output");
      Object.assign(input, {type: "range", min: 0, max: path.values.length - 1, step: 1});
      label.append(input, shown);
      input.say = () => { shown.textContent = path.values[input.value]; };
    } else {
      input.append(...path.values.map((text, value) => new Option(text, value)));
      label.append(input);
      input.say = () => {};
    }
    input.addEventListener("input", changed);
    inputs.push(input);
    side.append(label);
  });
  const said = document.createElement("output");
  side.append(said);
  const put = (cell) => inputs.forEach((input, i) => { input.value = data.cells[cell].at[i]; });
  put(start);
  const at = () => {
    inputs.forEach((input) => input.say());
    return data.cells.findIndex((cell) => cell.at.every((v, i) => v === Number(inputs[i].value)));
  };
  return {side, said, put, at};
};
const explore = async (box) => {
  const data = await unpacked(box.querySelector("script").textContent);
  const count = data.cells.length, pair = (i, j) => { // where two cells stand in the upper triangle
    const [a, b] = i < j ? [i, j] : [j, i];
    return data.both[a * count - a * (a - 1) / 2 + (b - a)];
  };
  const show = () => {
    const cells = sides.map((side) => side.at());
    sides.forEach((side, i) => {
      const cell = data.cells[cells[i]];
      side.said.textContent = cell ? `${data.win} ${cell.won}, from ${cell.games.toLocaleString("en")} games; median length ${cell.length} `
        + `${data.unit}; most often: ${cell.ending}` : "This combination was not played.";
    });
    const [a, b] = cells;
    if (a < 0 || b < 0) { answer.textContent = ""; return; }
    const [value, low, high] = a === b ? [0, 0, 0] : paired(pair(a, b), pair(b, b), pair(a, a), data.games, data.z);
    const half = 50 * (high - low), digits = half >= 2.5 ? 0 : half >= 0.05 ? 1 : 2;
    answer.textContent = a === b ? "Both are the same variant: choose another, or press a field of the plot."
      : `B less A: ${signed(value, digits)} points (${signed(low, digits)} .. ${signed(high, digits)})`;
    Object.assign(answer.dataset, {value, low, high, a, b});
  };
  const last = data.fields.length - 1;
  const sides = [controls(data, "A", data.fields[0], show), controls(data, "B", data.fields[last], show)];
  const pairOf = document.createElement("div"), answer = Object.assign(document.createElement("p"), {className: "answer"});
  pairOf.className = "sides";
  pairOf.append(...sides.map((side) => side.side));
  const note = Object.assign(document.createElement("p"), {className: "note", textContent:
    `Both played the same ${data.games.toLocaleString("en")} games on the same luck. The intervals of all ${data.pairs.toLocaleString("en")} `
    + `pairs hold together at ${+(100 * data.confidence).toFixed(2)} %. Fields of the plot above can be pressed: A, then B.`});
  box.append(pairOf, answer, note);
  const figure = document.getElementById(`${box.dataset.chapter}-plot-${data.figure}`);
  let next = 0;
  figure?.classList.add("picks");
  for (const svg of figure?.querySelectorAll("svg") ?? []) svg.querySelectorAll(".tip").forEach((field, i) => field.addEventListener("click", () => {
    sides[next].put(data.fields[i]);
    next = 1 - next;
    show();
  }));
  show();
};
for (const box of document.querySelectorAll(".explorer")) {
  if (!("DecompressionStream" in window)) continue;
  box.hidden = false;
  box.addEventListener("toggle", () => explore(box), {once: true});
}

// A link into something that is folded opens it. Browsers do so too, but not all, and not for a table.
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();

// Paper has no folds.
const folded = [];
addEventListener("beforeprint", () => {
  folded.push(...document.querySelectorAll("details.part:not([open])"));
  for (const part of folded) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of folded.splice(0)) part.open = false;
});

// What is wider than its place can be scrolled with the keyboard.
const sizes = new ResizeObserver((entries) => {
  for (const {target} of entries) {
    const more = target.scrollWidth > target.clientWidth + 1;
    if (more) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const box of document.querySelectorAll(".scroll")) sizes.observe(box);
