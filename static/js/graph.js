// A picture of the graph that can be moved and zoomed, by pointer, wheel, fingers or keys. What is
// seen is the viewBox of the SVG; without this script, that is all of it.

const MOST = 6; // times larger
const STEP = 1.4;
const DRAGGED = 4; // pixels from which a press is no click

/** What of the picture is seen: a part of *whole* in the same proportions, inside of it. */
class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.svg = canvas.querySelector("svg.graph");
    const { width, height } = this.svg.viewBox.baseVal;
    this.whole = { width, height };
    this.fit();
  }

  fit() {
    this.show(0, 0, 1);
  }

  /** Show the part that begins at (x, y), *scale* times larger. */
  show(x, y, scale) {
    this.scale = Math.min(MOST, Math.max(1, scale));
    const [width, height] = [this.whole.width / this.scale, this.whole.height / this.scale];
    this.x = Math.min(Math.max(x, 0), this.whole.width - width);
    this.y = Math.min(Math.max(y, 0), this.whole.height - height);
    this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${width} ${height}`);
    this.canvas.toggleAttribute("data-zoomed", this.scale > 1);
    for (const button of this.canvas.querySelectorAll("[data-zoom]")) {
      const isUseless = button.dataset.zoom === "in" ? this.scale === MOST : this.scale === 1;
      button.setAttribute("aria-disabled", isUseless);
    }
  }

  /** Units of the picture for each pixel of the screen. */
  get unit() {
    return this.whole.width / this.scale / this.svg.getBoundingClientRect().width;
  }

  move(right, down) {
    this.show(this.x + right * this.unit, this.y + down * this.unit, this.scale);
  }

  /** Zoom by *factor*; what is at this point of the screen stays there. */
  zoom(factor, clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const right = (clientX ?? box.left + box.width / 2) - box.left;
    const down = (clientY ?? box.top + box.height / 2) - box.top;
    const [x, y] = [this.x + right * this.unit, this.y + down * this.unit];
    const scale = Math.min(MOST, Math.max(1, this.scale * factor));
    const unit = this.whole.width / scale / box.width;
    this.show(x - right * unit, y - down * unit, scale);
  }

  /** Move so that *node* is seen. */
  reveal(node) {
    const [box, at] = [this.svg.getBoundingClientRect(), node.getBoundingClientRect()];
    const off = (begin, end, from, to) => (begin < from ? begin - from : end > to ? end - to : 0);
    this.move(off(at.left, at.right, box.left, box.right), off(at.top, at.bottom, box.top, box.bottom));
  }
}

function listenToKeys(view) {
  const keys = {
    ArrowLeft: () => view.move(-40, 0),
    ArrowRight: () => view.move(40, 0),
    ArrowUp: () => view.move(0, -40),
    ArrowDown: () => view.move(0, 40),
    "+": () => view.zoom(STEP),
    "=": () => view.zoom(STEP),
    "-": () => view.zoom(1 / STEP),
    "0": () => view.fit(),
  };
  view.canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    // All of it is seen: the arrows scroll the page.
    if (event.key.startsWith("Arrow") && view.scale === 1) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  view.canvas.addEventListener("focusin", (event) => {
    if (event.target.matches("a.node")) view.reveal(event.target);
  });
}

function listenToPointers(view) {
  const pressed = new Map();
  let dragged = 0;
  const spread = () => {
    const [one, other] = [...pressed.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  view.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (!pressed.size) dragged = 0;
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  // On the window, since a drag may leave the picture.
  window.addEventListener("pointermove", (event) => {
    const before = pressed.get(event.pointerId);
    if (!before) return;
    const apart = pressed.size === 2 ? spread() : 0;
    const [right, down] = [event.clientX - before.x, event.clientY - before.y];
    pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
    dragged += Math.hypot(right, down);
    if (apart) {
      const [one, other] = [...pressed.values()];
      view.zoom(spread() / apart, (one.x + other.x) / 2, (one.y + other.y) / 2);
    } else if (dragged > DRAGGED) {
      view.move(-right, -down);
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(end, (event) => pressed.delete(event.pointerId));
  }
  // A drag that begins on a name does not open it.
  view.svg.addEventListener("click", (event) => {
    if (dragged > DRAGGED) event.preventDefault();
  }, true);
  view.svg.addEventListener("dragstart", (event) => event.preventDefault());
  view.svg.addEventListener("wheel", (event) => {
    // The wheel scrolls the page, unless Ctrl is held (as a pinch on a touchpad does) or the
    // picture has the focus.
    if (!event.ctrlKey && !event.metaKey && !view.canvas.contains(document.activeElement)) return;
    event.preventDefault();
    view.zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 100) / 400),
      event.clientX, event.clientY);
  }, { passive: false });
}

for (const canvas of document.querySelectorAll("[data-canvas]")) {
  const view = new View(canvas);
  canvas.tabIndex = 0;
  const buttons = canvas.querySelector(".zoom");
  const actions = {
    in: () => view.zoom(STEP),
    out: () => view.zoom(1 / STEP),
    fit: () => view.fit(),
  };
  buttons.addEventListener("click", (event) => actions[event.target.closest("button")?.dataset.zoom]?.());
  buttons.hidden = false;
  listenToKeys(view);
  listenToPointers(view);
}
