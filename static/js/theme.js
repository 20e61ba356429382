// Runs before the page is drawn, so that a chosen theme never flashes in the other one.
(() => {
  // For what looks otherwise when scripts can move it.
  document.documentElement.classList.add("js");
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
})();
