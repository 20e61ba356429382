// What is usual with the chosen provider: its address and model behind the empty fields, its help.

document.addEventListener("change", (event) => {
  const select = event.target.closest("select[data-presets]");
  if (!select) return;
  const usual = select.selectedOptions[0].dataset;
  for (const field of select.form.querySelectorAll("[data-usual]")) {
    const text = usual[field.dataset.usual] ?? "";
    if (field.matches("input")) field.placeholder = text;
    else field.textContent = text;
  }
});
