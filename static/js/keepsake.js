// What every screen has: dialogs and menus, the panel, failures, keys. Everything works without it.
// Listeners sit on the document, so that swapped fragments need no setting up.

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// --- the rail -------------------------------------------------------------------------------

// What a request has changed, the rail and the tabs say at once.
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful } = event.detail;
  if (successful && requestConfig.verb !== "get") document.body.dispatchEvent(new Event("rail"));
});

// --- dialogs and menus ----------------------------------------------------------------------

document.addEventListener("click", (event) => {
  const dismiss = event.target.closest("dialog [data-dismiss]");
  if (dismiss) {
    event.preventDefault();
    dismiss.closest("dialog").close();
  }
  const opener = event.target.closest("[data-dialog]");
  if (opener) document.getElementById(opener.dataset.dialog).showModal();
  for (const menu of all("details[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// --- the panel ------------------------------------------------------------------------------

let returnTo = null;

function showPanel() {
  const panel = find("#panel");
  if (!panel) return;
  panel.hidden = panel.childElementCount === 0;
  find("#app").classList.toggle("with-panel", !panel.hidden);
  const close = find("[data-close][data-row-id]", panel);
  const open = close ? close.dataset.rowId : null;
  for (const row of all("[data-row]")) row.classList.toggle("open", [row.id, row.dataset.row].includes(open));
  if (open) returnTo = open;
}

// An answer to something that was replaced meanwhile has no place any more.
document.addEventListener("htmx:beforeCleanupElement", ({ target }) => {
  if (target instanceof Element && target.hasAttribute("hx-get")) htmx.trigger(target, "htmx:abort");
});

// What was said before is old news as soon as somebody has done something else, which the rail is not.
// A message whose own button was pressed stays until the answer is in: htmx looks for where it belongs
// from there.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, shouldSwap } = event.detail;
  const { triggeringEvent } = requestConfig;
  if (!shouldSwap || !triggeringEvent || triggeringEvent.type === "rail") return;
  for (const old of all("#messages > *")) if (!old.contains(requestConfig.elt)) old.remove();
});

// A status that comes in together with its words is not read out: one that was there before is.
document.addEventListener("htmx:afterSettle", () => {
  const said = find("[data-announce]:not([data-announced])");
  if (!said) return;
  said.dataset.announced = "";
  const announcer = find("#announcer");
  announcer.textContent = ""; // The same words again are news, too.
  setTimeout(() => (announcer.textContent = said.textContent), 50);
});

document.addEventListener("htmx:afterSwap", (event) => {
  event.detail.requestConfig?.elt.closest("#messages > *")?.remove();
  const dialog = find("#dialog");
  if (event.target.id === "dialog") {
    dialog.showModal();
    return;
  }
  // The answer to what a dialog asked.
  if (dialog.open && dialog.contains(event.detail.requestConfig?.elt)) dialog.close();
  showPanel();
  if (event.target.id === "panel") {
    // A row that is being edited, or was while the panel loaded, keeps the focus.
    const focused = document.activeElement;
    const opener = event.detail.requestConfig?.elt;
    if (focused.closest("[data-editing]") || (focused.closest("[data-row]") && !opener?.isConnected)) return;
    const first = find("[autofocus], [data-content]", event.target) || find("[data-close]", event.target);
    if (first) first.focus({ preventScroll: true });
  } else if (event.target.id === "memories" && find("#panel").hidden && returnTo && !isTyping(document.activeElement)) {
    const back = document.getElementById(returnTo);
    const link = back && (back.matches("a") ? back : find("a.content", back));
    if (link) link.focus();
    returnTo = null;
  } else if (event.target.id === "memories" && document.activeElement === document.body) {
    // What was pressed in the panel is gone with it.
    find("#panel :is([data-content], [data-close])")?.focus({ preventScroll: true });
  }
});

// --- addresses ------------------------------------------------------------------------------

// What is empty says nothing: it stays out of the address bar.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "get") return;
  const form = event.detail.formData;
  for (const [name, value] of [...form]) if (value === "") form.delete(name);
});

// --- failures -------------------------------------------------------------------------------

function say(words) {
  const line = document.createElement("div");
  line.className = "notice bad";
  line.append(Object.assign(document.createElement("span"), { textContent: words }));
  // What can still be undone stays.
  for (const old of all("#messages > :not(.toast)")) old.remove();
  find("#messages").prepend(line);
}

document.addEventListener("htmx:sendError", () => {
  say(text("offline"));
});
document.addEventListener("htmx:beforeSwap", (event) => {
  // Who is not signed in is led to the sign-in page, which is no part of this one.
  if (!new URL(event.detail.xhr.responseURL).pathname.startsWith("/accounts/login")) return;
  event.detail.shouldSwap = false;
  say(text("session-ended"));
});
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
  const refusal = find("[data-refusal]", page);
  const asked = find("dialog[open]");
  // What it asked is refused, which is said on the page behind it.
  if (refusal && asked?.contains(event.detail.elt)) asked.close();
  if (refusal) say(refusal.textContent);
  else if (status === 403) say(text("session-ended"));
  else if (status === 404) say(text("gone"));
  else if (status === 503) say(text("database-down"));
  else say(text("failed"));
});

// --- the browser's time zone ---------------------------------------------------------------------

// What is new gets it; what has another one is offered it.
document.addEventListener("DOMContentLoaded", () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const field of all("input[data-browser-zone]")) field.value ||= zone ?? "";
});

// --- theme ----------------------------------------------------------------------------------

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

// --- back -----------------------------------------------------------------------------------

function offerBack() {
  // A page that was opened in a new tab has nothing before it.
  if (history.length > 1) for (const button of all("[data-back]")) button.hidden = false;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-back]")) history.back();
});
document.addEventListener("DOMContentLoaded", offerBack);

// A step back or forward while a page still loads changes the address alone: nothing listens yet.
document.addEventListener("DOMContentLoaded", () => {
  const [loaded] = performance.getEntriesByType("navigation");
  if (!loaded) return;
  const { pathname, search } = new URL(loaded.name);
  if (pathname + search !== location.pathname + location.search) location.reload();
});

// --- tabs -----------------------------------------------------------------------------------

// On a phone, the row of tabs is wider than the screen: where one is, is in sight.
document.addEventListener("DOMContentLoaded", () => {
  find(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
});

// --- keys -----------------------------------------------------------------------------------

const isTyping = (target) => target.matches("input:not([type=checkbox]), textarea, select");

function move(step) {
  const links = all("[data-row] :is(a, summary).content");
  if (!links.length) return;
  const at = links.findIndex((link) => link.closest("[data-row]").contains(document.activeElement));
  const open = links.findIndex((link) => link.closest("[data-row].open"));
  const from = at >= 0 ? at : open;
  links[Math.min(links.length - 1, Math.max(0, from + step))].focus();
}

function escape(target) {
  const menu = find("details[data-menu][open]");
  if (menu) {
    menu.open = false;
    find("summary", menu).focus();
    return;
  }
  const close = find("#panel:not([hidden]) [data-close]");
  if (close) close.click();
  else if (isTyping(target)) target.blur();
}

// "g" and a letter within a second lead to a screen. Asked before the keys of a list, of which some
// are the same letters.
let goUntil = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || find("dialog[open]")) return;
  const waits = Date.now() < goUntil;
  goUntil = event.key === "g" && !waits ? Date.now() + 1000 : 0;
  if (!waits) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  find(`[data-go="${CSS.escape(event.key)}"]`)?.click();
}, true);

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (find("dialog[open]")) return;
  if (event.key === "Escape") {
    escape(event.target);
    return;
  }
  if (isTyping(event.target)) return;
  const target = find(`[data-key="${CSS.escape(event.key)}"]`);
  if (target) {
    event.preventDefault();
    if (target.matches("input")) target.select();
    else target.click();
  } else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
});

document.addEventListener("DOMContentLoaded", showPanel);
