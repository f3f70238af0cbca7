// The keyboard, while the picture has the focus.

export function followKeys(timeline, tooltip, longest) {
  const { view } = timeline;
  const actions = {
    "+": () => view.zoom(2),
    "=": () => view.zoom(2),
    "-": () => view.zoom(1 / 2),
    "0": () => view.whole(),
    Home: () => view.whole(),
    ArrowLeft: () => view.pan(-0.2),
    ArrowRight: () => view.pan(0.2),
    ArrowUp: () => view.pan(0, -0.2),
    ArrowDown: () => view.pan(0, 0.2),
    PageUp: () => view.pan(0, -1),
    PageDown: () => view.pan(0, 1),
    "]": () => view.zoomLanes(2),
    "[": () => view.zoomLanes(1 / 2),
    n: () => longest.next(1),
    p: () => longest.next(-1),
    Escape: () => {},
  };
  timeline.canvas.addEventListener("keydown", (event) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    tooltip.hide();
    action();
  });
}

// Wheel and drag. A wheel that was scrolling the page goes on scrolling it when the picture comes under it.

const SCROLLING_MS = 350;
const CLICK_PX = 4;

export function followPointer(timeline, tooltip) {
  const { canvas, view } = timeline;
  let scrolledAt = -Infinity;
  let drag = null;

  addEventListener("wheel", (event) => {
    if (event.target !== canvas) scrolledAt = event.timeStamp;
  }, { passive: true });

  canvas.addEventListener("wheel", (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey } = event;
    if (event.timeStamp - scrolledAt < SCROLLING_MS && !ctrlKey && !shiftKey && !altKey) {
      scrolledAt = event.timeStamp;
      return;
    }
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 18 : 1;
    const [across, down] = [event.deltaX * lines, event.deltaY * lines];
    tooltip.hide();
    if (shiftKey || Math.abs(across) > Math.abs(down)) view.pan((across || down) / timeline.place.width);
    else if (altKey || ctrlKey || metaKey) view.zoomLanes(Math.exp(-down * 0.002), timeline.laneAt(event.offsetY));
    else view.zoom(Math.exp(-down * 0.002), timeline.timeAt(event.offsetX));
  }, { passive: false });

  canvas.addEventListener("dblclick", (event) => view.zoom(4, timeline.timeAt(event.offsetX)));

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const selects = event.shiftKey || event.offsetY < timeline.place.top;
    drag = { x: event.offsetX, y: event.offsetY, selects, from: timeline.timeAt(event.offsetX), moved: 0 };
    if (tooltip.pinned) tooltip.hide();
  });

  canvas.addEventListener("pointermove", (event) => {
    if (!drag) {
      tooltip.at(event.offsetX, event.offsetY);
      return;
    }
    const [dx, dy] = [event.offsetX - drag.x, event.offsetY - drag.y];
    drag.moved += Math.abs(dx) + Math.abs(dy);
    if (drag.moved > CLICK_PX) tooltip.hide();
    if (drag.selects) {
      timeline.selected = [drag.from, timeline.timeAt(event.offsetX)];
      timeline.redraw();
    } else {
      view.pan(-dx / timeline.place.width, -dy / timeline.place.height);
      [drag.x, drag.y] = [event.offsetX, event.offsetY];
    }
  });

  canvas.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { selects, moved, from } = drag;
    drag = null;
    timeline.selected = null;
    if (moved <= CLICK_PX) tooltip.pinned = Boolean(timeline.outlined);
    else if (selects) view.set(...[from, timeline.timeAt(event.offsetX)].sort((a, b) => a - b));
    timeline.redraw();
  });
}

// The kinds of operations; a click hides one or shows it again, a double click shows that one alone.

export function makeLegend(element, timeline, changed) {
  const buttons = [...element.querySelectorAll("button")];
  const update = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(!timeline.hidden.has(button.dataset.kind)));
    timeline.redraw();
    changed();
  };
  for (const button of buttons) {
    const { kind } = button.dataset;
    button.addEventListener("click", () => {
      if (!timeline.hidden.delete(kind)) timeline.hidden.add(kind);
      update();
    });
    button.addEventListener("dblclick", () => {
      const others = buttons.map((other) => other.dataset.kind).filter((other) => other !== kind);
      const alone = others.every((other) => timeline.hidden.has(other));
      timeline.hidden = new Set(alone ? [] : others);
      update();
    });
  }
}
