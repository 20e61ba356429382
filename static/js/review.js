// Review: the keys of a row, and the focus on the next one once a row is decided, or on the row itself once that is undone.

const rows = () => [...document.querySelectorAll(".held")];
const DECISIONS = { a: "approve", r: "reject" };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!DECISIONS[event.key] || document.querySelector("dialog[open]")) return;
  const row = document.activeElement.closest(".held");
  const button = row?.querySelector(`button[value="${DECISIONS[event.key]}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});

let decided = -1;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { elt } = detail.requestConfig;
  if (detail.target.id !== "main") return;
  // An undo brings back the row that was decided last.
  if (!elt.closest(".toast")) decided = rows().indexOf(elt.closest(".held"));
});
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (decided < 0 || detail.target.id !== "main") return;
  const left = rows();
  left[Math.min(decided, left.length - 1)]?.querySelector("summary").focus();
});
