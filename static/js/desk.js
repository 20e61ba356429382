// The memory list: selecting rows, correcting them in place, its keys, and coming back to it.
// Its keys are asked before those of keepsake.js: it listens on the way down.

const boxes = () => Array.from(document.querySelectorAll('[data-row] input[name="id"]'));
/** Those of the rows that match: weaker matches are folded below them. */
const matching = () => boxes().filter((box) => !box.closest(".weaker"));
const rowInFocus = () => document.activeElement.closest("[data-row]");
const openRow = () => document.querySelector("[data-row].open");

// --- selection ------------------------------------------------------------------------------

let lastBox = null;

function showSelection() {
  const bar = document.querySelector("#selected-bar");
  if (!bar) return;
  const checked = boxes().filter((box) => box.checked);
  const everything = document.querySelector("#all-matching").value === "yes";
  for (const box of boxes()) box.closest("[data-row]").classList.toggle("selected", box.checked);
  const total = Number(bar.dataset.total);
  const count = everything ? total : checked.length;
  bar.hidden = count === 0;
  bar.querySelector("#selected-count").textContent = `${count.toLocaleString("en")} selected`;
  const noun = count === 1 ? bar.dataset.one : bar.dataset.many;
  bar.querySelector("#delete-selected").textContent = `Delete ${count.toLocaleString("en")} ${noun}`;
  bar.querySelector("#select-all").hidden = everything || total <= checked.length;
}

function check(these, on, everything = false) {
  for (const box of these) box.checked = on;
  document.querySelector("#all-matching").value = everything ? "yes" : "";
  showSelection();
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
  showSelection();
});

document.addEventListener("click", (event) => {
  const box = event.target.closest('[data-row] input[name="id"]');
  if (box) {
    if (event.shiftKey) for (const between of range(box)) between.checked = box.checked;
    lastBox = box;
  } else if (event.target.closest("#select-all")) check(matching(), true, true);
  else if (event.target.closest("#select-none")) check(boxes(), false);
});

// --- in place -------------------------------------------------------------------------------

const editLink = (row) => row && row.querySelector("[data-edit]");

document.addEventListener("dblclick", (event) => {
  const link = editLink(event.target.closest("[data-row]"));
  // Where an open memory stands in for the list, the first of the two clicks has opened it.
  if (matchMedia("(max-width: 980px)").matches) return;
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
  if (!confirm("Discard what you typed?")) event.preventDefault();
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
  if (row && !boxes().some((box) => box.checked)) check([boxOf(row)], true);
  if (boxes().some((box) => box.checked)) document.querySelector("#delete-selected").click();
  else if (panel) panel.click();
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]") || !document.querySelector("#selection")) return;
  if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const { key } = event;
  // Links and buttons know what Enter does; in the panel "e" is the whole form, not the row.
  if (key === "Enter" && event.target.matches("a, button, summary")) return;
  const row = rowInFocus() ?? (key === "x" || key === "X" ? openRow() : null);
  if (!ACTIONS[key] || (!row && OF_A_ROW.includes(key))) return;
  event.preventDefault();
  ACTIONS[key](row);
  if (key === "x" || key === "X") lastBox = boxOf(row);
}, true);

// --- coming back ----------------------------------------------------------------------------

// What was checked, which row was used, how far down one was: ids and a number, for this tab only.
// The page scrolls by these, since a browser would scroll before the list is there.
if (document.querySelector("#selection")) history.scrollRestoration = "manual";

const place = () => `list ${document.querySelector("#selection")?.dataset.list ?? ""}`;
const keptPlace = () => JSON.parse(sessionStorage.getItem(place()) ?? "null");
// On a phone the open memory stands in for the list.
const listIsVisible = () => document.querySelector(".list").checkVisibility();

function keepPlace() {
  if (!document.querySelector("#selection")) return;
  const ids = boxes().filter((box) => box.checked).map((box) => box.value);
  const everything = document.querySelector("#all-matching").value;
  const row = (rowInFocus() ?? openRow())?.id ?? lastRow;
  const down = listIsVisible() ? scrollY : keptPlace()?.down ?? 0;
  sessionStorage.setItem(place(), JSON.stringify({ ids, everything, row, down }));
}

function checkAgain(kept, everything) {
  check(boxes().filter((box) => kept.ids.includes(box.value)), true, everything);
}

function findPlace() {
  const kept = keptPlace();
  const [navigation] = performance.getEntriesByType("navigation");
  if (!kept || navigation?.type === "navigate") return;
  checkAgain(kept, kept.everything === "yes");
  const panel = document.querySelector("#panel");
  if (panel.hidden) document.getElementById(kept.row)?.querySelector("a.content")?.focus({ preventScroll: true });
  requestAnimationFrame(() => scrollTo(0, listIsVisible() ? kept.down : 0));
}

let left = null;
let lastRow = null;

document.addEventListener("focusin", (event) => (lastRow = event.target.closest("[data-row]")?.id ?? lastRow));

addEventListener("pagehide", keepPlace);
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!["memories", "panel"].includes(event.target.id) || !document.querySelector("#selection")) return;
  keepPlace();
  left = place();
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "panel" && !listIsVisible()) scrollTo(0, 0);
  if (event.target.id !== "memories") return;
  const kept = keptPlace();
  if (kept && place() === left) {
    // The same list once more, as after closing the panel. All that match is asked for anew, since
    // they may be others now.
    checkAgain(kept, false);
    // What was pressed may be gone, as the button of an undo.
    if (document.activeElement === document.body && document.querySelector("#panel").hidden) {
      document.getElementById(kept.row)?.querySelector("a.content")?.focus({ preventScroll: true });
    }
    scrollTo(0, listIsVisible() ? kept.down : 0);
  } else {
    showSelection();
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
  if (document.querySelector("#selection")) findPlace();
});
