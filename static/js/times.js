// "5 min ago" stays true while the page is open. From a day on, the server's words do.

function ago(seconds) {
  if (seconds < 60) return text("ago-now");
  if (seconds < 3600) return text("ago-minutes", { number: Math.floor(seconds / 60) });
  return text("ago-hours", { number: Math.floor(seconds / 3600) });
}

setInterval(() => {
  for (const time of document.querySelectorAll("time[data-ago]")) {
    const seconds = (Date.now() - new Date(time.dateTime)) / 1000;
    if (seconds >= 0 && seconds < 24 * 3600) time.textContent = ago(seconds);
  }
}, 20_000);
