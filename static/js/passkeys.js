// Says on the page what allauth's scripts would only write to the console.
"use strict";

const PHRASES = {
  NotAllowedError: "The browser gave no passkey: it was cancelled, or took too long. Try again.",
  InvalidStateError: "This device already has a passkey for your account.",
  SecurityError: "Passkeys work only by https, or at http://localhost. This page is at neither.",
};

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const place = document.querySelector("[data-passkey-error]");
  place.textContent = PHRASES[event.detail.exception.name] || "The passkey could not be used here. Try again, or another way.";
  place.hidden = false;
});
