// Tags as chips: what is typed becomes one with Enter or a comma, and the instance's own tags complete it. Without this script the
// field takes tags separated by commas, which is also what is sent.

const split = (typed) => typed.split(",").map((tag) => tag.trim()).filter(Boolean);
const fieldOf = (editor) => editor.querySelector("[data-tags]");

function chip(tag) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: tag });
  button.dataset.tag = tag;
  button.setAttribute("aria-label", text("tag-remove", { tag }));
  const sign = Object.assign(document.createElement("span"), { textContent: "×" });
  sign.setAttribute("aria-hidden", "true");
  button.append(sign);
  return button;
}

function store(editor) {
  const tags = Array.from(editor.querySelectorAll("[data-tag]"), (each) => each.dataset.tag);
  fieldOf(editor).value = tags.join(", ");
}

/** Make chips of what is typed. */
function take(entry) {
  const editor = entry.closest(".tags-field");
  for (const tag of split(entry.value)) {
    const there = Array.from(editor.querySelectorAll("[data-tag]"), (each) => each.dataset.tag);
    if (!there.includes(tag)) entry.before(chip(tag));
  }
  entry.value = "";
  store(editor);
}

function remove(button) {
  const editor = button.closest(".tags-field");
  button.remove();
  store(editor);
  editor.querySelector("[data-tag-entry]").focus();
}

/** The field stays, out of sight, and holds what is sent; what is typed goes into another. */
function setUp(field) {
  const editor = Object.assign(document.createElement("div"), { className: "tags-field" });
  const entry = Object.assign(document.createElement("input"), { type: "text", autocomplete: "off", id: field.id });
  entry.dataset.tagEntry = "";
  entry.setAttribute("list", field.getAttribute("list") ?? "");
  for (const name of ["aria-describedby", "aria-invalid", "autofocus"]) {
    if (field.hasAttribute(name)) entry.setAttribute(name, field.getAttribute(name));
  }
  const hadFocus = document.activeElement === field;
  field.before(editor);
  field.removeAttribute("id");
  field.hidden = true;
  editor.append(field, entry);
  for (const tag of split(field.value)) entry.before(chip(tag));
  if (hadFocus) entry.focus();
}

const setUpAll = () => document.querySelectorAll("[data-tags]:not(.tags-field > *)").forEach(setUp);
document.addEventListener("htmx:afterSettle", setUpAll);
setUpAll();

document.addEventListener("keydown", (event) => {
  const entry = event.target.closest("[data-tag-entry]");
  if (!entry || event.ctrlKey || event.metaKey) return;
  if (event.key === "," || (event.key === "Enter" && entry.value.trim())) {
    event.preventDefault();
    take(entry);
  } else if (event.key === "Backspace" && !entry.value) {
    const last = entry.previousElementSibling;
    if (last?.matches("[data-tag]")) remove(last);
  }
});
document.addEventListener("input", ({ target, inputType }) => {
  // One of the list was chosen, or a list was pasted.
  const isChosen = target.matches("[data-tag-entry]") && (!inputType || inputType === "insertReplacementText");
  if (isChosen || (target.matches("[data-tag-entry]") && target.value.includes(","))) take(target);
});
document.addEventListener("focusout", ({ target }) => {
  if (target.matches("[data-tag-entry]")) take(target);
});
document.addEventListener("click", ({ target }) => {
  const button = target.closest(".tags-field [data-tag]");
  if (button) remove(button);
});
// Also where the form is sent by keys while something is typed.
document.addEventListener("submit", ({ target }) => target.querySelectorAll("[data-tag-entry]").forEach(take), true);
