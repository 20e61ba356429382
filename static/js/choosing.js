// Choosing what a remedy is applied to: the button says how many are checked.

const boxesOf = (form) => Array.from(form.querySelectorAll('input[type="checkbox"][name="take"]'));

function say(form) {
  const boxes = boxesOf(form);
  if (!boxes.length) return;
  const count = boxes.filter((box) => box.checked).length;
  const act = form.querySelector("[data-act]");
  const words = count === 1 ? form.dataset.one : form.dataset.many;
  act.textContent = words.replace("{n}", count.toLocaleString("en"));
  act.disabled = count === 0;
}

document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-choosing]");
  if (form) say(form);
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
