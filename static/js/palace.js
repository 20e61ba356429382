// The tree of the palace: arrow keys walk it, and it stays where it was when the page is swapped.
// Its entries are links, so that all of it works without this too.

const entries = () => Array.from(document.querySelectorAll("#tree a.branch, #tree a.more-of"));
const isOpen = (entry) => entry.getAttribute("aria-expanded") === "true";
const isClosed = (entry) => entry.getAttribute("aria-expanded") === "false";

/** The entry one level up, or the one for everything. */
function above(entry) {
  const parent = entry.closest("ul").closest("li");
  return parent ? parent.querySelector("a.branch") : document.querySelector("#wing-all");
}

const STEPS = {
  ArrowDown: (entry, all) => all[all.indexOf(entry) + 1],
  ArrowUp: (entry, all) => all[all.indexOf(entry) - 1],
  Home: (entry, all) => all[0],
  End: (entry, all) => all[all.length - 1],
  ArrowLeft: (entry) => above(entry),
  ArrowRight: (entry, all) => (isOpen(entry) ? all[all.indexOf(entry) + 1] : null),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const entry = event.target.closest("#tree a");
  if (!entry || !STEPS[event.key]) return;
  event.preventDefault();
  if (event.key === "ArrowRight" && isClosed(entry)) entry.click();
  else STEPS[event.key](entry, entries().filter((one) => one.checkVisibility()))?.focus();
});

// --- staying where one was --------------------------------------------------------------------

let down = 0;

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id === "memories") down = document.querySelector("#tree")?.scrollTop ?? 0;
});

function show(entry) {
  const tree = document.querySelector("#tree");
  if (!tree || !entry) return;
  const [box, at] = [tree.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (at.top < box.top || at.bottom > box.bottom) tree.scrollTop += at.top - box.top - box.height / 3;
}

const current = () => document.querySelector("#tree a[aria-current=true]:not(#wing-all)");

document.addEventListener("htmx:afterSwap", (event) => {
  const tree = document.querySelector("#tree");
  if (event.target.id !== "memories" || !tree) return;
  tree.scrollTop = down;
  show(current());
});

document.addEventListener("DOMContentLoaded", () => show(current()));
