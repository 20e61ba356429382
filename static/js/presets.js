// The chosen provider, in a select or as radio buttons: its usual address and model behind the empty
// fields, its help, and the models that its server offers.

document.addEventListener("change", (event) => {
  const choice = event.target.closest("[data-presets]");
  if (!choice) return;
  const usual = (choice.selectedOptions?.[0] ?? choice).dataset;
  for (const element of choice.form.querySelectorAll("[data-usual]")) {
    const name = element.dataset.usual;
    if (!element.matches("input")) {
      element.textContent = usual[name] ?? "";
      continue;
    }
    element.placeholder = usual[name] ?? "";
    const help = document.getElementById(`${element.id}_helptext`);
    if (help && usual[`${name}Help`]) help.textContent = usual[`${name}Help`];
  }
});

document.addEventListener("click", (event) => {
  const offered = event.target.closest("[data-fill]");
  if (!offered) return;
  const field = document.getElementById(offered.closest("[data-for]").dataset.for);
  field.value = offered.dataset.fill;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});
