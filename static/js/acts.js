// After an act that loads the page again, or its main part: the page where it was, and the focus on the same
// control, on the next row where its row is gone, or on the heading of the card. An undo brings the focus back
// to the row that it brings back.

const ROWS = [".row", "tr", "li", "article"];
const ROW = ROWS.join();
const CONTROL = "a[href], button, summary, select, textarea, input:not([type=hidden])";
// What ends a row is not where the next press should go.
const FIRST_CONTROL = `:is(${CONTROL}):not(.error)`;
const KEY = "act";
// What takes longer than this was a file that is stored, or a page that never came.
const LATEST = 60_000;

const outermostRow = (element) => {
  const row = element?.closest(ROW);
  return row ? (outermostRow(row.parentElement) ?? row) : null;
};
const rowsIn = (area, kind) => all(kind, area).filter((row) => row === outermostRow(row));
const latest = () => JSON.parse(sessionStorage.getItem(KEY) ?? "null");

/** Where *form* was, and what was pressed in it; null for one that a script has made, which stands nowhere. */
function placeOf(form, pressed) {
  const row = outermostRow(form);
  const area = (row ?? form).parentElement.closest("[id]");
  if (!area) return null;
  const kind = row && ROWS.find((each) => row.matches(each));
  // A form that saves itself is sent by the change of a field.
  const used = pressed ?? form.querySelector(":focus");
  return {
    area: area.id,
    row: row && { id: row.id, kind, at: rowsIn(area, kind).indexOf(row) },
    action: form.getAttribute("action"),
    name: used?.name,
    value: used?.value,
  };
}

document.addEventListener("submit", ({ target: form, submitter, defaultPrevented }) => {
  if (form.method !== "post") return;
  const undoes = form.closest(".toast") !== null;
  const place = undoes ? latest()?.place : placeOf(form, submitter);
  const { pathname: path } = location;
  const act = { place, undoes, path, title: document.title, down: scrollY, at: Date.now(), leaves: !defaultPrevented };
  sessionStorage.setItem(KEY, JSON.stringify(act));
});

function focusOn(element) {
  const closed = element.checkVisibility() ? null : element.closest("details:not([open])");
  const goal = closed?.querySelector("summary") ?? element;
  if (!goal.matches(CONTROL)) goal.tabIndex = -1;
  goal.focus({ preventScroll: true });
  goal.scrollIntoView({ block: "nearest" });
}

function samePressed({ action, name, value }) {
  const form = all("main form").find((one) => one.method === "post" && one.getAttribute("action") === action);
  const controls = form ? all("button:not([type=button]), select", form) : [];
  return controls.find((one) => one.name === name && (one.matches("select") || one.value === value));
}

function rowAt({ area, row }) {
  const place = row && document.getElementById(area);
  if (!place) return null;
  const rows = rowsIn(place, row.kind);
  const found = (row.id && document.getElementById(row.id)) || rows[Math.min(row.at, rows.length - 1)];
  return found && (find(".content", found) ?? find(FIRST_CONTROL, found));
}

function headingOf({ area }) {
  const place = document.getElementById(area) ?? find("#main");
  return find("h1, h2, h3", place) ?? place;
}

function comeBack({ place, undoes }) {
  if (!place) return;
  const refused = find('main [aria-invalid="true"]');
  focusOn(refused ?? (undoes ? null : samePressed(place)) ?? rowAt(place) ?? headingOf(place));
}

/** The way to the page where the act was done, on the page that it led to. */
const wayBack = (path) => all("main a[href]").find((link) => link.pathname === path);

// Not before the page is loaded: where its address names a part of it, the browser goes there and drops the focus.
addEventListener("load", () => {
  const act = latest();
  if (!act?.leaves) return;
  sessionStorage.setItem(KEY, JSON.stringify({ ...act, leaves: false }));
  const [loaded] = performance.getEntriesByType("navigation");
  if (loaded?.type !== "navigate" || Date.now() - act.at > LATEST) return;
  // What a page says as it loads is not read out by itself.
  const said = all("#messages .notice > span, .notice[role] > span").map((words) => words.innerText).join(" ");
  setTimeout(() => (find("#announcer").textContent = said), 50);
  if (document.activeElement !== document.body) return;
  if (act.path === location.pathname || act.title === document.title) {
    scrollTo(0, act.down);
    comeBack(act);
  } else {
    const link = wayBack(act.path);
    if (link) focusOn(link);
  }
});
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const act = latest();
  if (act && detail.target.id === "main") comeBack(act);
});
