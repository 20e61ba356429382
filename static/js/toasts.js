// A message that can be undone for some seconds goes when they are over, with the key it holds.

function startCountdowns() {
  for (const toast of document.querySelectorAll("[data-seconds]:not(.counting)")) {
    toast.classList.add("counting");
    setTimeout(() => toast.remove(), 1000 * Number(toast.dataset.seconds));
  }
}

document.addEventListener("htmx:afterSettle", startCountdowns);
document.addEventListener("DOMContentLoaded", startCountdowns);
// A page that the browser has kept aside is not to offer what is over.
addEventListener("pagehide", () => {
  for (const toast of document.querySelectorAll("[data-seconds]")) toast.remove();
});
