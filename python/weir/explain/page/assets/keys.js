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
