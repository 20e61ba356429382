// The chat without leaving the page. Everything works without this file: forms post, and the page
// reloads until the answer is there.

const find = (selector, root = document) => root.querySelector(selector);
const thread = find("#thread");
const say = find("#say");
const box = find("#message");
const stopping = find("#stop");
const NARROW = matchMedia("(max-width: 980px)");
const EVENTS = { Accept: "text/event-stream" };

// --- what the page shows ----------------------------------------------------------------------

let running = false;

function setRunning(now) {
  running = now;
  if (!say) return;
  find("#send").disabled = now;
  stopping.hidden = !now;
}

function refuse(why) {
  const line = find("#refused");
  line.hidden = !why;
  find("span", line).textContent = why;
}

// Whoever reads further up is left there.
function keepingBottom(change) {
  const page = document.documentElement;
  const atBottom = innerHeight + scrollY >= page.scrollHeight - 120;
  change();
  if (atBottom) scrollTo(0, page.scrollHeight);
}

// Closed at first on a narrow screen; whoever opens it keeps it open.
function fold(anew) {
  const details = find("[data-fold]");
  if (!details || (details.dataset.fold === "done" && !anew)) return;
  details.open = !NARROW.matches;
  details.dataset.fold = "done";
}

// Notes stand beside the thread on a wide screen; on a narrow one, under the message they are about.
function placeNotes() {
  const notes = find("#notes");
  const about = notes && document.getElementById(notes.dataset.turn);
  if (!about) return;
  if (notes.parentElement !== about) about.append(notes);
  for (const each of document.querySelectorAll(".exchange")) {
    each.classList.toggle("chosen", each === about);
  }
}

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

// Only where there is a clipboard: a page that is not served over HTTPS has none.
function offerCopying(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy-reply]")) button.hidden = false;
  for (const snippet of root.querySelectorAll(".prose .snippet:not(:has(button))")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn";
    button.ariaLabel = text("copy"); // Shown by the style sheet: text in it would be part of the reply.
    button.dataset.copyCode = "";
    snippet.append(button);
  }
}

// Puts a part in the place of what was there, as whoever looked at that had left it.
function put(fresh, old) {
  const before = old && find("[data-fold]", old);
  old?.replaceWith(fresh);
  htmx.process(fresh);
  placeNotes();
  fold();
  offerCopying(fresh);
  const now = find("[data-fold]", fresh);
  if (before && now) now.open = before.open;
}

function draw(html) {
  const fresh = parsed(html);
  if (!fresh) return null;
  const old = document.getElementById(fresh.id);
  const notes = find("#notes");
  if (!old) {
    notes?.remove();
    thread.append(fresh);
  } else if (notes && notes.dataset.turn !== fresh.id) {
    // Whoever looks at the notes on an earlier message goes on doing so.
    find("#notes", fresh)?.remove();
    fresh.classList.remove("chosen");
  }
  put(fresh, old);
  return fresh;
}

function readOut(exchange) {
  const told = find("#told");
  told.textContent = exchange ? find(".theirs", exchange).innerText : "";
  // Said once; whoever searches the page shall not find it twice.
  setTimeout(() => told.replaceChildren(), 3000);
}

function showNotes(html) {
  const fresh = parsed(html);
  const old = find("#notes");
  if (fresh && old?.dataset.turn === fresh.dataset.turn) put(fresh, old);
}

function begun(data) {
  find("#welcome")?.remove();
  if (data.url) {
    history.replaceState(null, "", data.url);
    document.title = `${data.title} · Keepsake`;
    find("#head").outerHTML = data.head;
    say.action = data.url;
    stopping.action = `${data.url}/stop`;
    find("#begin")?.remove();
    find("#chats .none")?.remove();
    find("#chats").insertAdjacentHTML("afterbegin", data.entry);
    find("#main").classList.add("open");
  }
  const exchange = draw(data.html);
  scrollTo(0, document.documentElement.scrollHeight);
  return exchange;
}

function words(exchange, data) {
  const reply = find("[data-reply]", exchange);
  if (!find("[data-last]", reply)) {
    reply.innerHTML = "<div data-done></div><div data-last></div>";
  }
  find("[data-doing]", exchange).textContent = "";
  find("[data-done]", reply).insertAdjacentHTML("beforeend", data.done);
  find("[data-last]", reply).innerHTML = data.last;
}

// --- the stream -------------------------------------------------------------------------------

async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    waiting += value;
    const parts = waiting.split("\n\n");
    waiting = parts.pop();
    for (const part of parts) {
      const found = /^event: (\w+)\ndata: (.*)$/.exec(part);
      if (found) yield [found[1], JSON.parse(found[2])];
    }
  }
}

// Follows an answer to its end; false when the stream broke before.
async function show(response, exchange) {
  for await (const [name, data] of eventsOf(response)) {
    if (name === "begin" && data.after && !document.getElementById(`t${data.after}`)) {
      // Another tab has said something here meanwhile. The page, loaded anew, goes on from here.
      location.reload();
      return true;
    }
    keepingBottom(() => {
      if (name === "begin") exchange = begun(data);
      else if (name === "words") words(exchange, data);
      else if (name === "doing") find("[data-doing]", exchange).textContent = data.text;
      else if (name === "notes") showNotes(data.html);
      else if (name === "end") readOut(draw(data.html));
    });
    // A conversation more, or what the assistant itself has saved or forgotten.
    if (name === "begin" || name === "end") document.body.dispatchEvent(new Event("rail"));
    if (name === "end") return true;
  }
  return false;
}

async function follow(response, exchange) {
  setRunning(true);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      if (response && (await show(response, exchange))) {
        setRunning(false);
        return;
      }
    } catch {
      // The connection broke. The answer goes on, and so do we.
    }
    await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
    exchange = find(".exchange[data-follow]");
    if (!exchange) break;
    // From its first word: what is drawn already would be drawn twice.
    find("[data-reply]", exchange).replaceChildren();
    response = await fetch(exchange.dataset.follow, { headers: EVENTS }).catch(() => null);
    if (response && !response.ok) response = null;
  }
  setRunning(false);
  refuse(text("chat-lost"));
}

// Posts a form and follows what comes of it; false, with words, when nothing does.
async function post(form) {
  refuse("");
  setRunning(true);
  let why = text("chat-offline");
  try {
    const body = new FormData(form);
    const response = await fetch(form.action, { method: "POST", body, headers: EVENTS });
    const kind = response.headers.get("content-type") || "";
    if (response.ok && kind.startsWith("text/event-stream")) return response;
    why = text("chat-failed");
    if (response.redirected || response.status === 403) {
      why = text("chat-ended");
    } else if (response.status === 404) {
      why = text("chat-gone");
    } else if (kind.startsWith("application/json")) {
      why = (await response.json()).detail;
    }
  } catch {
    // Said above.
  }
  setRunning(false);
  refuse(why);
  return null;
}

// --- what people do -----------------------------------------------------------------------------

say?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (running || !box.value.trim()) return;
  const response = await post(say);
  if (!response) return;
  box.value = "";
  box.focus();
  await follow(response, null);
});

box?.addEventListener("keydown", (event) => {
  // In the middle of a Japanese word, Enter chooses its spelling.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  say.requestSubmit();
});

stopping?.addEventListener("submit", (event) => {
  event.preventDefault();
  fetch(stopping.action, { method: "POST", body: new FormData(stopping), headers: EVENTS });
});

document.addEventListener("submit", async (event) => {
  if (!event.target.matches("form[data-again]")) return;
  event.preventDefault();
  if (running) return;
  const response = await post(event.target);
  if (response) await follow(response, null);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy-code], [data-copy-reply]");
  if (!button) return;
  const from = button.closest(".snippet, .theirs");
  await navigator.clipboard.writeText(find("pre, [data-reply]", from).innerText);
  button.ariaLabel = text("copied");
  setTimeout(() => { button.ariaLabel = text("copy"); }, 2000);
});

document.addEventListener("htmx:afterSettle", () => {
  placeNotes();
  fold();
});

NARROW.addEventListener("change", () => fold(true));
fold();
offerCopying(document);

// What was said last is what one comes for; an address that names a message goes there by itself.
if (!location.hash && !location.search && find(".exchange")) {
  scrollTo(0, document.documentElement.scrollHeight);
}

const unfinished = find(".exchange[data-follow]");
if (unfinished) {
  fetch(unfinished.dataset.follow, { headers: EVENTS })
    .catch(() => null)
    .then((response) => follow(response, unfinished));
}
