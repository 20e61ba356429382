// Settings: a switch saves itself, and so do the fields beside it. A form's Save button is on once something in the form differs from what is saved. An
// address with the anchor of a card leads to the page where the card is.

const isChanged = (field) => {
  if (field.matches('[type="checkbox"], [type="radio"]')) return field.checked !== field.defaultChecked;
  if (!field.matches("select")) return field.defaultValue !== undefined && field.value !== field.defaultValue;
  const saved = Array.from(field.options).find((option) => option.defaultSelected) ?? field.options[0];
  return saved !== field.selectedOptions[0];
};

function showUnsaved(form) {
  const save = form.querySelector("[data-save]");
  if (!save) return;
  const refused = form.querySelector('[aria-invalid="true"]');
  const on = Boolean(refused) || Array.from(form.elements).some(isChanged);
  // Unlike `disabled`, this lets the button keep the focus when the card has been saved.
  save.setAttribute("aria-disabled", String(!on));
  if (on) form.closest(".card")?.querySelector(".saved")?.remove();
}

const showAllUnsaved = () => document.querySelectorAll("form").forEach(showUnsaved);

for (const type of ["input", "change"]) {
  document.addEventListener(type, (event) => event.target.form && showUnsaved(event.target.form));
}
// The forms that are being saved, each with whether it was changed meanwhile: that change goes with
// the next request, whose answer counts.
const saving = new WeakMap();

document.addEventListener("change", ({ target }) => {
  const form = target.form;
  if (!form?.matches("[data-saves-itself]")) return;
  if (saving.has(form)) saving.set(form, true);
  form.requestSubmit();
});
document.addEventListener("htmx:beforeRequest", ({ detail }) => saving.set(detail.elt, false));
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (saving.get(detail.requestConfig.elt)) detail.shouldSwap = false;
});
document.addEventListener("htmx:afterRequest", ({ detail }) => saving.delete(detail.elt));
document.addEventListener("htmx:afterSettle", showAllUnsaved);
showAllUnsaved();
// Also when the browser has kept the page, or what was entered in it.
addEventListener("pageshow", showAllUnsaved);

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.querySelector('[data-save][aria-disabled="true"]')) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

// --- the browser's time zone -----------------------------------------------------------------

function offerZone() {
  const offer = document.querySelector("[data-zone-offer]");
  const field = document.querySelector('input[list="time-zones"]');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!offer || !zone) return;
  offer.hidden = field.value === zone;
  offer.querySelector("bdi").textContent = zone;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-zone-offer] button");
  if (!button) return;
  const field = document.querySelector('input[list="time-zones"]');
  field.value = button.querySelector("bdi").textContent;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  offerZone();
});
document.addEventListener("htmx:afterSettle", offerZone);
offerZone();

// --- which page -----------------------------------------------------------------------------

function openPageOfCard() {
  const card = decodeURIComponent(location.hash.slice(1));
  if (!card || document.getElementById(card)) return;
  const links = document.querySelectorAll(".pages [data-cards]");
  const page = Array.from(links).find((link) => link.dataset.cards.split(" ").includes(card));
  if (page) location.replace(page.href + location.hash);
}

openPageOfCard();
addEventListener("hashchange", openPageOfCard);
openPageOfCard();

// On a narrow screen the pages are a row that scrolls.
const current = document.querySelector(".pages [aria-current]");
if (current) {
  const row = current.closest(".pages");
  row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
}
