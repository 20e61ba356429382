// The command palette: opens over any screen, and is used with the arrow keys and Enter.

const palette = document.querySelector("dialog#palette");
const text = document.querySelector("#palette-text");
const groups = document.querySelector("#palette-groups");
const options = () => [...groups.querySelectorAll("[role=option]")];
// What the listed options answer, and whether Enter waits for the answer to what is typed.
let answered = text?.value;
let entered = false;

function select(option) {
  for (const each of options()) each.setAttribute("aria-selected", String(each === option));
  if (option) {
    text.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  } else text.removeAttribute("aria-activedescendant");
}

function open() {
  if (palette.open) return;
  text.value = "";
  answered = null;
  palette.showModal();
  htmx.trigger(palette, "palette:open");
}

if (palette) {
  document.addEventListener("click", (event) => {
    if (event.target === palette) palette.close();
    if (!event.target.closest("[data-palette]") || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || event.shiftKey || event.altKey) return;
    if (!(event.ctrlKey || event.metaKey) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    open();
  });
}

text?.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const found = options();
  const at = found.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (step && found.length) {
    event.preventDefault();
    select(found[(at + step + found.length) % found.length]);
  } else if (event.key === "Enter" && !event.isComposing) {
    entered = answered !== text.value;
    if (entered || found[at]) event.preventDefault();
    if (!entered) found[at]?.click();
  }
});
text?.addEventListener("input", () => (entered = false));

groups?.addEventListener("htmx:afterSwap", (event) => {
  answered = event.detail.requestConfig.parameters.q;
  const [first] = options();
  select(first);
  if (entered && answered === text.value) {
    entered = false;
    first?.click();
  }
});

// The name of the key on this keyboard.
if (/Mac|iPhone|iPad/.test(navigator.platform)) {
  for (const key of document.querySelectorAll("[data-palette] kbd")) key.textContent = "⌘K";
}
