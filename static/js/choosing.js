// Choosing what a remedy is applied to: the button says how many are checked.

const boxesOf = (form) => Array.from(form.querySelectorAll('input[type="checkbox"][name="take"]'));

/** How many are chosen; of groups, only where there are two to put together. */
function chosen(form) {
  const groups = Array.from(form.querySelectorAll("[data-group]"));
  if (!groups.length) return [boxesOf(form).filter((box) => box.checked).length, 0];
  const sizes = groups.map((group) => group.querySelectorAll('[name="take"]:checked').length);
  const merged = sizes.filter((size) => size > 1);
  return [merged.reduce((sum, size) => sum + size, 0), merged.length];
}

function say(form) {
  if (!boxesOf(form).length) return;
  const [count, into] = chosen(form);
  const act = form.querySelector("[data-act]");
  const words = count === 1 ? form.dataset.one : form.dataset.many;
  act.textContent = words
    .replace("{n}", formatted(count))
    .replace("{into}", formatted(into));
  act.disabled = count === 0;
}

/** The one that keeps its text is among those that are put together. */
function takeKept(group) {
  const kept = group.querySelector('[type="radio"]:checked').closest("[data-twin]");
  for (const twin of group.querySelectorAll("[data-twin]")) {
    const box = twin.querySelector('[name="take"]');
    if (twin === kept) box.checked = true;
    twin.classList.toggle("kept", twin === kept);
  }
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-choosing]");
  if (!form) return;
  if (event.target.type === "radio") takeKept(event.target.closest("[data-group]"));
  say(form);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-check-all]");
  if (!button) return;
  const form = button.closest("[data-choosing]");
  for (const box of boxesOf(form)) box.checked = button.dataset.checkAll === "yes";
  say(form);
});

// A browser that comes back to the page checks what was checked when it left.
for (const form of document.querySelectorAll("[data-choosing]")) say(form);
