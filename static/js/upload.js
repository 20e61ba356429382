// A file dropped anywhere on the page goes to its zone; where it has none, to the import, if the person may import. One that is too large is refused before it
// is sent, and while one is sent the page says how far that has come. Without this script the browser does it, less well.

const megabytes = (bytes) => formatted(Math.round(bytes / 2 ** 20));

/** The zone of the page, or of a dialog that is opened for it. */
function zone() {
  const template = document.querySelector("#drop-anywhere");
  const own = document.querySelector("[data-drop]");
  if (own || !template || document.querySelector("dialog[open]")) return own;
  document.body.append(template.content.cloneNode(true));
  const dialog = document.body.lastElementChild;
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  return dialog.querySelector("[data-drop]");
}

function overZone(event, isOver) {
  const target = event.dataTransfer?.types.includes("Files") && zone();
  if (!target) return null;
  event.preventDefault();
  target.classList.toggle("over", isOver);
  return target;
}

for (const type of ["dragenter", "dragover"]) document.addEventListener(type, (event) => overZone(event, true));
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) overZone(event, false)?.closest("dialog")?.close();
});
document.addEventListener("drop", (event) => {
  const target = overZone(event, false);
  if (!target || !event.dataTransfer.files.length) return;
  const input = target.querySelector("input[type=file]");
  const one = new DataTransfer();
  one.items.add(event.dataTransfer.files[0]);
  input.files = one.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  if (target.matches("form")) target.requestSubmit();
  else input.focus();
});

function nameFile(input) {
  const [file] = input.files;
  const name = input.closest("[data-drop]")?.querySelector("[data-file-name]");
  if (!file || !name) return;
  name.textContent = file.name;
  name.nextElementSibling.textContent = file.size < 2 ** 20 ? "" : text("megabytes", { size: megabytes(file.size) });
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-upload]");
  if (!form) return;
  const input = form.querySelector("input[type=file]");
  const file = input.files[0];
  if (!file) return;
  event.preventDefault();
  const most = Number(input.dataset.mostBytes);
  const tooLarge = most && file.size > most && text("too-large", { size: megabytes(file.size), limit: megabytes(most) });
  if (tooLarge && !input.hidden) {
    input.setCustomValidity(tooLarge);
    input.reportValidity();
    return;
  }
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
  if (tooLarge) {
    again(tooLarge);
    return;
  }
  form.closest("dialog")?.addEventListener("close", () => request.abort());
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
    nameFile(event.target);
  }
});

// What the answer says is wrong: beside the field, or on a page of its own.
function reason(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const error = page.querySelector(".field .error, .login .card p");
  return error ? error.textContent.trim() : text("upload-failed");
}
