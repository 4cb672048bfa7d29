"use strict";
// Tables are sorted by the column that is pressed; pressed again, the other way round.
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), body = head.closest("table").tBodies[0];
    const down = head.getAttribute("aria-sort") === "ascending";
    const value = (row) => {
      const cell = row.cells[head.cellIndex];
      return cell.dataset.v ?? cell.textContent.trim();
    };
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
  });
}
// On a narrow screen the contents begin closed; on paper every table is open.
if (window.innerWidth < 1248) document.querySelector("nav details").open = false;
for (const box of document.querySelectorAll(".scroll")) if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details.table:not([open])")];
  for (const d of closed) d.open = true;
});
addEventListener("afterprint", () => { for (const d of closed) d.open = false; });
