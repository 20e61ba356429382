// A message goes when its seconds are over, with the key of its undo, or when it is closed.

function startCountdowns() {
  for (const toast of document.querySelectorAll("[data-seconds]:not(.counting)")) {
    toast.classList.add("counting");
    setTimeout(() => toast.remove(), 1000 * Number(toast.dataset.seconds));
  }
}

document.addEventListener("click", (event) => {
  event.target.closest("[data-close-toast]")?.closest(".toast").remove();
});
document.addEventListener("htmx:afterSettle", startCountdowns);
document.addEventListener("DOMContentLoaded", startCountdowns);
// A page that the browser has kept aside is not to offer what is over.
addEventListener("pagehide", () => {
  for (const toast of document.querySelectorAll("[data-seconds]")) toast.remove();
});
