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
