// A button that copies what it names, a field or a text: <button data-copy="#field" hidden>. Where
// the text is shown in groups, data-plain holds it without spaces. Without a clipboard (a page that
// is not served over HTTPS has none) it selects the text instead.

function offerCopying() {
  for (const button of document.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const named = document.querySelector(button.dataset.copy);
  if (named.select) named.select();
  else getSelection().selectAllChildren(named);
  try {
    await navigator.clipboard.writeText(named.dataset.plain ?? named.value ?? named.textContent);
    button.textContent = text("copied");
  } catch {
    button.textContent = text("copy-by-hand");
  }
});

document.addEventListener("DOMContentLoaded", offerCopying);
document.addEventListener("htmx:afterSwap", offerCopying);
