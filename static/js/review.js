// Review: the keys of a row.

const DECISIONS = { a: "approve", r: "reject" };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!DECISIONS[event.key] || document.querySelector("dialog[open]")) return;
  const row = document.activeElement.closest(".held");
  const button = row?.querySelector(`button[value="${DECISIONS[event.key]}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
