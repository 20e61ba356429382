// Review: the keys of a row, and the focus on the next one once a row is decided.

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
  decided = rows().indexOf(detail.requestConfig.elt.closest(".held"));
});
document.addEventListener("htmx:afterSettle", () => {
  if (decided < 0) return;
  const left = rows();
  left[Math.min(decided, left.length - 1)]?.querySelector("summary").focus();
  decided = -1;
});
