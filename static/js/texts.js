// The texts that scripts show, in the language of the page. `text` and `formatted` are global.

const TEXTS = JSON.parse(document.getElementById("texts").textContent);

/** The text called *name*, with *values* filled in. */
function text(name, values = {}) {
  return TEXTS[name].replace(/%\((\w+)\)s/g, (_, key) => values[key]);
}

/** A number as the language of the page writes it. */
function formatted(number) {
  return number.toLocaleString(document.documentElement.lang);
}
