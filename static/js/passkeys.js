// Says on the page what allauth's scripts would only write to the console.
"use strict";

const TEXT_OF = {
  NotAllowedError: "passkey-none",
  InvalidStateError: "passkey-exists",
  SecurityError: "passkey-insecure",
};

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const place = document.querySelector("[data-passkey-error]");
  place.textContent = text(TEXT_OF[event.detail.exception.name] || "passkey-failed");
  place.hidden = false;
});
