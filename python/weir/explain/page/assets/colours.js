// Colours of the kinds of operations, from the page's style, so that light and dark paper have their own.

export function colour(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

// By number of kind; null for those that are hidden. Marks are bands, not calls.
export function coloursOf(kinds, hidden) {
  const found = kinds.map((kind) => (hidden.has(kind) || kind === "mark" ? null : colour(`--kind-${kind}`)));
  found.paper = colour("--paper");
  found.ink = colour("--ink");
  return found;
}

const DEEPER = 0.17;

// The same, nearer to ink for calls inside others.
export function shade(colours, level) {
  colours.shades ??= [];
  return (colours.shades[level] ??= colours.map((one) => one && mixed(one, colours.ink, 1 - (1 - DEEPER) ** level)));
}

export function mixed(one, other, part) {
  return one.map((value, i) => value * (1 - part) + other[i] * part);
}

export function isDark([red, green, blue]) {
  return 0.299 * red + 0.587 * green + 0.114 * blue < 140;
}

export function css([red, green, blue], alpha = 1) {
  return `rgb(${red} ${green} ${blue} / ${alpha})`;
}
