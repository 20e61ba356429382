// The memory list: selecting rows, correcting them in place, its keys, and coming back to it.
// Its keys are asked before those of keepsake.js: it listens on the way down.

const boxes = () => Array.from(document.querySelectorAll('[data-row] input[name="id"]'));
/** Those of the rows that match: weaker matches are folded below them. */
const matching = () => boxes().filter((box) => !box.closest(".weaker"));
const rowInFocus = () => document.activeElement.closest("[data-row]");
const openRow = () => document.querySelector("[data-row].open");

// --- selection ------------------------------------------------------------------------------

// The ids of the checked rows of all pages. They last as long as the filters, for this tab only.
let chosen = new Set();
let lastBox = null;

const selection = () => document.querySelector("#selection");
const selectionKey = () => `selected ${selection()?.dataset.key ?? ""}`;
const isEverything = () => document.querySelector("#all-matching")?.value === "yes";

function keepSelection() {
  if (!selection()) return;
  if (chosen.size) sessionStorage.setItem(selectionKey(), JSON.stringify([...chosen]));
  else sessionStorage.removeItem(selectionKey());
}

function showSelection() {
  const bar = document.querySelector("#selected-bar");
  if (!bar) return;
  const everything = isEverything();
  for (const box of boxes()) box.closest("[data-row]").classList.toggle("selected", box.checked);
  const total = Number(bar.dataset.total);
  const count = everything ? total : chosen.size;
  // There may be more than were counted.
  const number = formatted(count) + (everything ? bar.dataset.more : "");
  bar.hidden = count === 0;
  bar.dataset.shown = "";
  document.querySelector("#selected-ids").value = everything ? "" : [...chosen].join(",");
  bar.querySelector("#selected-count").textContent = text("selected", { number });
  const words = count === 1 ? bar.dataset.one : bar.dataset.many;
  bar.querySelector("#delete-selected").textContent = words.replace("{n}", number);
  bar.querySelector("#select-all").hidden = everything || total <= chosen.size;
}

/** Take over what the boxes of this page say. */
function takeOver() {
  for (const box of boxes()) chosen[box.checked ? "add" : "delete"](box.value);
  keepSelection();
  showSelection();
}

function check(these, on, everything = false) {
  for (const box of these) box.checked = on;
  document.querySelector("#all-matching").value = everything ? "yes" : "";
  takeOver();
}

/** Check the boxes of what was selected on this page and others. */
function checkAgain(everything) {
  chosen = new Set(JSON.parse(sessionStorage.getItem(selectionKey()) ?? "[]"));
  const shown = everything ? matching() : boxes().filter((box) => chosen.has(box.value));
  check(shown, true, everything);
}

function selectNone() {
  chosen.clear();
  check(boxes(), false);
}

/** Take the rows out of the selection that a form has deleted or merged, or changed as all that match. */
function leaveOut(confirmed) {
  const data = new FormData(confirmed);
  if (data.get("all") === "yes") {
    chosen.clear();
    document.querySelector("#all-matching").value = "";
  }
  const gone = [...(data.get("ids") ?? "").split(","), ...data.getAll("merge").map((token) => token.split("@")[0])];
  if (confirmed.matches("[data-removes]")) for (const id of gone) chosen.delete(id);
  keepSelection();
}

/** The boxes from the last one that was used to this one. */
function range(box) {
  const every = boxes();
  const from = lastBox && lastBox.isConnected ? every.indexOf(lastBox) : every.indexOf(box);
  const [first, last] = [from, every.indexOf(box)].sort((a, b) => a - b);
  return every.slice(first, last + 1);
}

document.addEventListener("change", (event) => {
  if (!event.target.matches('[data-row] input[name="id"]')) return;
  document.querySelector("#all-matching").value = "";
  takeOver();
});

document.addEventListener("click", (event) => {
  const box = event.target.closest('[data-row] input[name="id"]');
  if (box) {
    if (event.shiftKey) for (const between of range(box)) between.checked = box.checked;
    lastBox = box;
  } else if (event.target.closest("#select-all")) check(matching(), true, true);
  else if (event.target.closest("#select-none")) selectNone();
});

// A file is no part of the page, so htmx does not fetch it.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-download]");
  if (!button) return;
  event.preventDefault();
  const { action } = selection();
  selection().action = button.formAction;
  selection().submit();
  selection().action = action;
});

// --- in place -------------------------------------------------------------------------------

const editLink = (row) => row && row.querySelector("[data-edit]");

document.addEventListener("dblclick", (event) => {
  const link = editLink(event.target.closest("[data-row]"));
  // Where an open memory stands in for the list, the first of the two clicks has opened it.
  if (matchMedia("(max-width: 760px)").matches) return;
  if (!link || event.target.closest("input, .meta a")) return;
  getSelection().removeAllRanges();
  link.click();
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest("[data-editing]");
  if (!form || event.isComposing) return;
  if (event.key === "Escape") {
    event.preventDefault();
    form.querySelector("[data-cancel]").click();
  } else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.target.matches("a, button, select")) {
    event.preventDefault();
    form.requestSubmit();
  }
}, true);

document.addEventListener("htmx:afterSettle", (event) => {
  // A row that was swapped has the focus again, in its form or on its text.
  const row = document.getElementById(event.detail.target.id);
  if (!row || !row.matches("[data-row]")) return;
  const field = row.querySelector("[autofocus]");
  (field || row.querySelector("a.content")).focus();
  if (field) field.setSelectionRange(field.value.length, field.value.length);
  showSelection();
});

// --- typed text -----------------------------------------------------------------------------

/** Whether a form holds what somebody typed and the server has not stored. */
function isUnsaved(form) {
  if (form.dataset.unsaved !== undefined) return true;
  return Array.from(form.elements).some((field) => {
    if (field.matches("[type=radio]")) return field.checked !== field.defaultChecked;
    if (field.matches("select")) return !field.selectedOptions[0]?.defaultSelected && field.selectedIndex > 0;
    return field.matches("textarea, input:not([type=checkbox])") && field.value !== field.defaultValue;
  });
}

/** The forms with typed text that the answer to a request would replace. */
const lostWith = (target) => Array.from(document.querySelectorAll("[data-guarded]")).filter((form) =>
  // The list comes with an empty panel.
  (target.contains(form) || (target.id === "memories" && form.closest("#panel"))) && isUnsaved(form));

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target, requestConfig } = event.detail;
  if (requestConfig.verb !== "get" || elt.id === "status" || !lostWith(target).length) return;
  if (!confirm(text("discard"))) event.preventDefault();
});

// Leaving the page asks as well, unless a form is what leaves it.
let sends = false;
document.addEventListener("submit", () => (sends = true));
addEventListener("pageshow", () => (sends = false));
addEventListener("beforeunload", (event) => {
  if (!sends && Array.from(document.querySelectorAll("[data-guarded]")).some(isUnsaved)) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest("[data-guarded]");
  if (!form || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  form.requestSubmit();
}, true);

// --- keys -----------------------------------------------------------------------------------

// With the row in focus; where there is none, what has to do with one row does nothing.
const ACTIONS = {
  x: (row) => check([boxOf(row)], !boxOf(row).checked),
  X: (row) => check(range(boxOf(row)), true),
  e: (row) => editLink(row)?.click(),
  Enter: (row) => row.querySelector("a.content").click(),
  a: () => check(boxes(), !boxes().every((box) => box.checked)),
  "#": askToDelete,
  Delete: askToDelete,
};
const OF_A_ROW = ["x", "X", "e", "Enter"];

const boxOf = (row) => row.querySelector('input[name="id"]');

function askToDelete(row) {
  const panel = document.querySelector("#panel:not([hidden]) [data-delete]");
  if (row && boxOf(row) && !chosen.size) check([boxOf(row)], true);
  if (chosen.size) document.querySelector("#delete-selected").click();
  else if (panel) panel.click();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]") || !document.querySelector("#selection")) return;
  if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const { key } = event;
  // Links and buttons know what Enter does; in the panel "e" is the whole form, not the row.
  if (key === "Enter" && event.target.matches("a, button, summary")) return;
  const checks = key === "x" || key === "X";
  const row = rowInFocus() ?? (checks ? openRow() : null);
  if (!ACTIONS[key] || (!row && OF_A_ROW.includes(key))) return;
  // A message among the results of a question has no box.
  if (checks && !boxOf(row)) return;
  event.preventDefault();
  ACTIONS[key](row);
  if (checks) lastBox = boxOf(row);
}, true);

// --- coming back ----------------------------------------------------------------------------

// Which row was used and how far down one was, for this tab only.
// The page scrolls by these, since a browser would scroll before the list is there.
if (selection()) history.scrollRestoration = "manual";

const place = () => `list ${selection()?.dataset.list ?? ""}`;
const keptPlace = () => JSON.parse(sessionStorage.getItem(place()) ?? "null");
// On a phone the open memory stands in for the list.
const listIsVisible = () => document.querySelector(".list").checkVisibility({ visibilityProperty: true });

function keepPlace() {
  if (!selection()) return;
  const row = (rowInFocus() ?? openRow())?.id ?? lastRow;
  const down = listIsVisible() ? scrollY : keptPlace()?.down ?? 0;
  sessionStorage.setItem(place(), JSON.stringify({ everything: isEverything(), row, down }));
}

function findPlace() {
  const kept = keptPlace();
  const [navigation] = performance.getEntriesByType("navigation");
  if (!kept || navigation?.type === "navigate") {
    // A new visit starts with nothing checked.
    keepSelection();
    return;
  }
  checkAgain(kept.everything);
  const panel = document.querySelector("#panel");
  if (panel.hidden) document.getElementById(kept.row)?.querySelector("a.content")?.focus({ preventScroll: true });
  requestAnimationFrame(() => scrollTo(0, listIsVisible() ? kept.down : 0));
}

// Typing adds one step to the history, whatever number of searches it sends; Enter ends that step.
// An address is never added twice in a row.
let typing = false;

document.addEventListener("htmx:beforeRequest", ({ detail: { elt, target } }) => {
  if (elt.id !== "q" && target.id === "memories") typing = false;
});
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { history: update, requestConfig } }) => {
  const typed = requestConfig.elt.id === "q";
  const same = update.path === location.pathname + location.search;
  if (same || (typed && typing)) update.type = "replace";
  typing ||= typed;
});

let left = null;
let lastRow = null;

document.addEventListener("focusin", (event) => (lastRow = event.target.closest("[data-row]")?.id ?? lastRow));

addEventListener("pagehide", keepPlace);
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!["memories", "panel"].includes(event.target.id) || !selection()) return;
  const { elt } = event.detail.requestConfig;
  if (elt.matches("#dialog form.ask") && event.detail.shouldSwap && event.target.id === "memories") leaveOut(elt);
  keepPlace();
  left = { place: place(), key: selectionKey(), everything: isEverything() };
});
document.addEventListener("htmx:afterSwap", (event) => {
  // An empty panel hides nothing, and to ask for the layout in the middle of a swap takes time.
  if (event.target.id === "panel" && event.target.childElementCount && !listIsVisible()) scrollTo(0, 0);
  if (event.target.id !== "memories") return;
  if (!selection()) {
    // The results of a question: nothing in them is checked.
    if (!listIsVisible()) scrollTo(0, 0);
    return;
  }
  const kept = keptPlace();
  if (kept && place() === left?.place) {
    // The same list once more, as after closing the panel. All that match is asked for anew, since
    // they may be others now.
    checkAgain(false);
    // What was pressed may be gone, as the button of an undo.
    if (document.activeElement === document.body && document.querySelector("#panel").hidden) {
      document.getElementById(kept.row)?.querySelector("a.content")?.focus({ preventScroll: true });
    }
    scrollTo(0, listIsVisible() ? kept.down : 0);
  } else {
    // Another page of the same list keeps the selection; other filters begin with none.
    if (selectionKey() === left?.key) checkAgain(left.everything);
    else selectNone();
    scrollTo(0, 0);
  }
});

// --- the live line --------------------------------------------------------------------------

// Nobody looks: nothing is asked. The line asks as soon as somebody looks again.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.target.id === "status") event.preventDefault();
});

document.addEventListener("DOMContentLoaded", () => {
  showSelection();
  if (selection()) findPlace();
});
