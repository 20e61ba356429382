// A file that is too large is refused before it is sent, and while one is sent the page says how
// far that has come. Without this file the browser does both, less well.

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-upload]");
  if (!form) return;
  const input = form.querySelector("input[type=file]");
  const file = input.files[0];
  if (!file) return;
  const most = Number(input.dataset.mostBytes);
  if (most && file.size > most) {
    event.preventDefault();
    const megabytes = (bytes) => formatted(Math.round(bytes / 2 ** 20));
    input.setCustomValidity(text("too-large", { size: megabytes(file.size), limit: megabytes(most) }));
    input.reportValidity();
    return;
  }
  event.preventDefault();
  const words = form.querySelector("[data-upload-words]");
  const progress = form.querySelector("progress");
  const button = form.querySelector("button");
  const request = new XMLHttpRequest();
  const say = (said) => {
    words.hidden = false;
    words.textContent = said;
  };
  const again = (why) => {
    say(why);
    progress.hidden = true;
    button.disabled = false;
  };
  request.open("POST", form.action || location.href);
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    progress.value = (100 * loaded) / total;
    say(text(loaded < total ? "uploading" : "upload-storing"));
  });
  request.addEventListener("error", () => again(text("upload-interrupted")));
  request.addEventListener("load", () => {
    if (request.status < 400 && request.responseURL) location.assign(request.responseURL);
    else again(reason(request.responseText));
  });
  button.disabled = true;
  progress.hidden = false;
  progress.value = 0;
  say(text("uploading"));
  request.send(new FormData(form));
});

document.addEventListener("change", (event) => {
  if (event.target.matches("form[data-upload] input[type=file]")) {
    event.target.setCustomValidity("");
  }
});

// What the answer says is wrong: beside the field, or on a page of its own.
function reason(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const error = page.querySelector(".field .error, .login .card p");
  return error ? error.textContent.trim() : text("upload-failed");
}
