// Fields of days and times: a text in the words of the page, and a month to choose from. The browser's own field stays, out of sight,
// and holds what is sent; without this script it is the one that people use.

const LANGUAGE = document.documentElement.lang;
// Where a language is written in several ways, as the person's browser has it.
const REGION = navigator.languages.find((each) => each.split("-")[0] === LANGUAGE) ?? LANGUAGE;
const calendar = document.getElementById("calendar");
const heading = document.getElementById("calendar-month");
const [head, body] = calendar.querySelectorAll("thead tr, tbody");

// --- days, as YYYY-MM-DD --------------------------------------------------------------------

const dateOf = (iso) => new Date(`${iso}T00:00Z`);
const isoOf = (date) => date.toISOString().slice(0, 10);
const inWords = (date, options) => date.toLocaleDateString(LANGUAGE, { timeZone: "UTC", ...options });

/** A day of the calendar; null if there is none, such as the 30th of February. */
function dayOf(year, month, day) {
  const iso = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const date = dateOf(iso);
  return !Number.isNaN(date.getTime()) && isoOf(date) === iso ? iso : null;
}

function plusDays(iso, days) {
  const date = dateOf(iso);
  date.setUTCDate(date.getUTCDate() + days);
  return isoOf(date);
}

/** The same day of another month, or the last one of a shorter month. */
function plusMonths(iso, months) {
  const date = dateOf(iso);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  return isoOf(date);
}

/** Today where the server counts days. */
function today() {
  // Swedish writes days as this file does.
  return new Date().toLocaleDateString("sv", { timeZone: calendar.dataset.zone });
}

/** A day as the page writes days: 29 Nov 2026. */
function written(iso) {
  const [year, month, day] = iso.split("-").map(Number);
  return text("date-months", { day, year }).split("|")[month - 1];
}

// --- what people type -----------------------------------------------------------------------

const MONTHS = Array.from({ length: 12 }, (_, month) => inWords(new Date(Date.UTC(2000, month)), { month: "long" }).toLowerCase());
const DAY_FIRST = new Intl.DateTimeFormat(REGION).formatToParts().find(({ type }) => type !== "literal").type === "day";

/** "in 3 weeks" and "3 weeks ago" */
function relative(words) {
  const ago = words.includes(text("date-ago"));
  const [number, unit, ...more] = words.filter((word) => word !== text("date-ago") && !text("date-in").split(" ").includes(word));
  const kind = text("date-units").split("|").findIndex((names) => names.split(" ").includes(unit));
  if (more.length || kind < 0 || !/^\d{1,4}$/.test(number)) return null;
  const distance = ago ? -Number(number) : Number(number);
  return kind < 2 ? plusDays(today(), distance * [1, 7][kind]) : plusMonths(today(), distance * [1, 12][kind - 2]);
}

/** The day that is meant by what is *typed*: 2026-11-29, 29.11.2026, 29/11/26, 29 Nov, yesterday, in 3 weeks; null if none is. */
function readDay(typed) {
  const thisYear = Number(today().slice(0, 4));
  const words = typed.toLowerCase().split(/[\s,]+/).filter(Boolean);
  const near = words.length === 1 ? text("date-near").split("|").indexOf(words[0]) : -1;
  if (near >= 0) return plusDays(today(), near - 1);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words.join(" "));
  if (iso) return dayOf(...iso.slice(1));
  const numbers = /^(\d{1,2})([./])\s?(\d{1,2})(?:\2\s?(\d{4}|\d\d)?)?$/.exec(words.join(" "));
  const yearOf = (digits) => (digits ? Number(digits) + (digits.length < 3 ? 2000 : 0) : thisYear);
  if (numbers) {
    const [, one, sign, other, year] = numbers;
    const [day, month] = sign === "." || DAY_FIRST ? [one, other] : [other, one];
    return dayOf(yearOf(year), month, day);
  }
  const named = words.map((word) => word.replace(/\.$/, ""));
  const at = named.findIndex((word) => word.length > 2 && MONTHS.some((month) => month.startsWith(word)));
  if (at < 0) return relative(words);
  const month = MONTHS.findIndex((name) => name.startsWith(named[at])) + 1;
  const [day, year, ...more] = named.filter((_, index) => index !== at);
  return /^\d{1,2}$/.test(day) && /^(\d{4}|\d\d)?$/.test(year ?? "") && !more.length ? dayOf(yearOf(year), month, day) : null;
}

/** A time as HH:MM from what is *typed*: 14:05, 14.05, 1405, 14, 2 pm; null if it is none. */
function readTime(typed) {
  const parts = /^(\d{1,2})(?:[:.h]?(\d\d))?\s*([ap])?\.?m?\.?$/i.exec(typed.trim());
  if (!parts) return null;
  const half = parts[3]?.toLowerCase();
  const hours = half ? (Number(parts[1]) % 12) + (half === "p" ? 12 : 0) : Number(parts[1]);
  const minutes = Number(parts[2] ?? 0);
  return hours < 24 && minutes < 60 ? `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}` : null;
}

// --- the field ------------------------------------------------------------------------------

function partsOf(node) {
  const field = node.closest(".date-field");
  const find = (selector) => field.querySelector(selector);
  return { field, sent: find("[data-sent]"), day: find("[data-day]"), time: find("[data-time]"), problem: find("[data-problem]") };
}

/** Write what the browser's own field holds. */
function show({ sent, day, time }) {
  const [date, clock] = sent.type === "time" ? ["", sent.value] : sent.value.split("T");
  if (day) day.value = date && written(date);
  if (time) time.value = (clock ?? "").slice(0, 5);
}

/** Take what is typed into the browser's own field, and say what is wrong with it. */
function take({ sent, day, time }) {
  if (day && time) {
    // Both in one line, as they are copied from a page.
    const both = /^(.+?)(?:T|,?\s)(\d{1,2}:\d\d)(?::\d\d)?$/.exec(day.value.trim());
    if (both) [day.value, time.value] = [both[1], both[2]];
  }
  const date = day?.value.trim() ? readDay(day.value) : "";
  const clock = time?.value.trim() ? readTime(time.value) : "";
  const words = { day: written(today()) };
  let wrong = "";
  if (date === null || (day && time && clock && !date)) wrong = text("date-unknown", words);
  else if (date && sent.min && date < sent.min.slice(0, 10)) wrong = text("date-early", { day: written(sent.min.slice(0, 10)) });
  else if (date && sent.max && date > sent.max.slice(0, 10)) wrong = text("date-late", { day: written(sent.max.slice(0, 10)) });
  day?.setCustomValidity(wrong);
  time?.setCustomValidity(clock === null ? text("time-unknown") : "");
  const isRight = (!day || day.validity.valid || day.validity.valueMissing) && clock !== null;
  if (!isRight) sent.value = "";
  else if (!day) sent.value = clock;
  else sent.value = date && time ? `${date}T${clock || "00:00"}` : date;
}

/** Say below the field what is wrong with it; nothing while it is being typed. */
function judge({ day, time, problem }, isDone) {
  const wrong = [day, time].find((entry) => entry?.validity.customError && isDone);
  for (const entry of [day, time]) entry?.[entry === wrong ? "setAttribute" : "removeAttribute"]("aria-invalid", "true");
  problem.textContent = wrong?.validationMessage ?? "";
  problem.hidden = !wrong;
  problem.className = wrong ? "error" : "";
}

function entryFor(sent, kind) {
  const entry = Object.assign(document.createElement("input"), { type: "text", autocomplete: "off", required: sent.required });
  entry.dataset[kind] = "";
  for (const name of ["form", "aria-invalid"]) if (sent.hasAttribute(name)) entry.setAttribute(name, sent.getAttribute(name));
  return entry;
}

function setUp(sent) {
  const field = Object.assign(document.createElement("span"), { className: `date-field ${sent.type}` });
  const label = sent.labels[0]?.textContent.trim() ?? sent.getAttribute("aria-label") ?? "";
  const problem = Object.assign(document.createElement("span"), { hidden: true, id: `${sent.id}-problem` });
  problem.dataset.problem = "";
  const [day, time] = [sent.type !== "time" && entryFor(sent, "day"), sent.type !== "date" && entryFor(sent, "time")];
  const hadFocus = document.activeElement === sent;
  const entry = day || time;
  sent.before(field);
  for (const each of [day, time].filter(Boolean)) {
    each.setAttribute("aria-describedby", [sent.getAttribute("aria-describedby"), problem.id].filter(Boolean).join(" "));
  }
  if (sent.id) entry.id = sent.id;
  if (sent.autofocus) entry.autofocus = true;
  for (const name of ["id", "required", "autofocus"]) sent.removeAttribute(name);
  // Read-only fields are not checked, which one that nobody sees must not be.
  Object.assign(sent, { hidden: true, readOnly: true });
  sent.dataset.sent = "";
  if (day) {
    const button = calendar.querySelector("template").content.firstElementChild.cloneNode(true);
    button.setAttribute("aria-label", text("date-choose", { field: label }));
    const box = Object.assign(document.createElement("span"), { className: "with-button" });
    box.append(day, button);
    field.append(sent, box);
  } else field.append(sent);
  if (time) field.append(time);
  if (day && time) Object.assign(time, { placeholder: "00:00" }).setAttribute("aria-label", text("date-time", { field: label }));
  field.append(problem);
  show(partsOf(field));
  for (const each of [day, time].filter(Boolean)) each.defaultValue = each.value;
  if (hadFocus) entry.focus();
}

const NEW = 'input:is([type="date"], [type="time"], [type="datetime-local"]):not([data-sent])';
const setUpAll = () => document.querySelectorAll(NEW).forEach(setUp);
document.addEventListener("htmx:afterSettle", setUpAll);
setUpAll();

// Before the listeners of forms, which read what is sent.
document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-day], [data-time]")) return;
  take(partsOf(target));
  judge(partsOf(target), false);
}, true);
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-day], [data-time]")) return;
  const parts = partsOf(target);
  take(parts);
  judge(parts, true);
  if (parts.sent.value) show(parts);
}, true);
document.addEventListener("reset", ({ target }) => {
  setTimeout(() => {
    for (const sent of target.elements) if (sent.matches("[data-sent]")) show(partsOf(sent));
  });
});

// --- the month ------------------------------------------------------------------------------

let opened = null; // The field that it is open for.
let at = ""; // The day that has the focus.

const { firstDay = 1 } = (() => {
  const locale = new Intl.Locale(REGION);
  return locale.getWeekInfo?.() ?? locale.weekInfo ?? {};
})();

function weekdays() {
  // The 3rd of January 2000 was a Monday.
  const days = Array.from({ length: 7 }, (_, number) => new Date(Date.UTC(2000, 0, 2 + firstDay + number)));
  head.replaceChildren(...days.map((day) => {
    const cell = Object.assign(document.createElement("th"), { scope: "col", abbr: inWords(day, { weekday: "long" }) });
    cell.textContent = inWords(day, { weekday: "short" }).slice(0, 2);
    return cell;
  }));
}

function isOutside(iso) {
  const { min, max } = opened.sent;
  return Boolean((min && iso < min.slice(0, 10)) || (max && iso > max.slice(0, 10)));
}

function cellOf(iso, chosen, marked) {
  const cell = document.createElement("td");
  if (iso.slice(0, 7) !== at.slice(0, 7)) return cell;
  cell.textContent = Number(iso.slice(8));
  cell.dataset.date = iso;
  cell.tabIndex = iso === at ? 0 : -1;
  cell.setAttribute("aria-selected", iso === chosen);
  cell.setAttribute("aria-label", inWords(dateOf(iso), { dateStyle: "full" }));
  if (iso === today()) cell.setAttribute("aria-current", "date");
  if (isOutside(iso)) cell.setAttribute("aria-disabled", "true");
  cell.classList.toggle("marked", marked.has(iso));
  return cell;
}

/** Show the month of the day *iso*, and focus that. */
function turnTo(iso, focus = true) {
  if (iso < "0001" || iso.length > 10) return;
  at = iso;
  const first = `${iso.slice(0, 8)}01`;
  const gap = (dateOf(first).getUTCDay() - firstDay + 7) % 7;
  const chosen = opened.sent.value.slice(0, 10);
  const marked = new Set(Array.from(opened.sent.list?.options ?? [], ({ value }) => value));
  const weeks = [];
  for (let day = plusDays(first, -gap); day.slice(0, 7) <= iso.slice(0, 7); day = plusDays(day, 7)) {
    const row = document.createElement("tr");
    row.append(...Array.from({ length: 7 }, (_, number) => cellOf(plusDays(day, number), chosen, marked)));
    weeks.push(row);
  }
  heading.textContent = inWords(dateOf(first), { month: "long", year: "numeric" });
  body.replaceChildren(...weeks);
  if (focus) body.querySelector('[tabindex="0"]').focus();
}

/** Below the field, or above it where there is no room; on a phone in the middle of the screen. */
function place() {
  const field = opened.day.getBoundingClientRect();
  const { width, height } = calendar.getBoundingClientRect();
  const below = field.bottom + 4;
  const top = below + height < innerHeight ? below : Math.max(4, field.top - height - 4);
  calendar.style.setProperty("--top", `${Math.min(top, Math.max(4, innerHeight - height - 4))}px`);
  calendar.style.setProperty("--left", `${Math.max(4, Math.min(field.left, innerWidth - width - 4))}px`);
}

function open(node) {
  opened = partsOf(node);
  const { min, max, value } = opened.sent;
  const start = value.slice(0, 10) || today();
  if (!head.childElementCount) weekdays();
  calendar.querySelector("[data-clear]").hidden = opened.day.required;
  calendar.querySelector("[data-today]").hidden = isOutside(today());
  calendar.showModal();
  turnTo(max && start > max ? max.slice(0, 10) : min && start < min ? min.slice(0, 10) : start);
  place();
}

function choose(iso) {
  if (iso && isOutside(iso)) return;
  const { day, time } = opened;
  day.value = iso && written(iso);
  if (!iso && time) time.value = "";
  calendar.close();
  for (const type of ["input", "change"]) day.dispatchEvent(new Event(type, { bubbles: true }));
}

const weekdayOf = (iso) => (dateOf(iso).getUTCDay() - firstDay + 7) % 7;
const STEPS = {
  ArrowLeft: (day) => plusDays(day, -1),
  ArrowRight: (day) => plusDays(day, 1),
  ArrowUp: (day) => plusDays(day, -7),
  ArrowDown: (day) => plusDays(day, 7),
  Home: (day) => plusDays(day, -weekdayOf(day)),
  End: (day) => plusDays(day, 6 - weekdayOf(day)),
  PageUp: (day, { shiftKey }) => plusMonths(day, shiftKey ? -12 : -1),
  PageDown: (day, { shiftKey }) => plusMonths(day, shiftKey ? 12 : 1),
};

document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" || !event.target.matches("[data-day]")) return;
  event.preventDefault();
  open(event.target);
});
calendar.addEventListener("keydown", (event) => {
  if (!event.target.matches("[data-date]")) return;
  const step = STEPS[event.key];
  if (step) turnTo(step(at, event));
  else if (event.key === "Enter" || event.key === " ") choose(at);
  else return;
  event.preventDefault();
});
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-calendar]");
  if (button) open(button);
});
calendar.addEventListener("click", ({ target }) => {
  const months = target.closest("[data-months]");
  if (target === calendar) calendar.close();
  else if (months) turnTo(plusMonths(at, Number(months.dataset.months)), false);
  else if (target.closest("[data-today]")) choose(today());
  else if (target.closest("[data-clear]")) choose("");
  else if (target.closest("[data-date]")) choose(target.closest("[data-date]").dataset.date);
});
