(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("figure-data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const narrowBelow = 480;

  function fit(spec, element) {
    const narrow = element.clientWidth < narrowBelow;
    const config = structuredClone(dark.matches ? data.dark : data.light);
    config.background = null;
    if (narrow) {
      config.legend.columns = 1;
      config.axis.labelFontSize = config.axis.titleFontSize = config.legend.labelFontSize = 11;
    }
    return vegaEmbed(element, spec, {
      mode: "vega-lite",
      renderer: "svg",
      config,
      tooltip: { theme: dark.matches ? "dark" : "light" },
      actions: { export: true, source: false, compiled: false, editor: false },
    });
  }

  function drawAll() {
    for (const [name, spec] of Object.entries(data.specs)) {
      const element = document.getElementById("plot-" + name);
      fit(spec, element).catch((error) => {
        element.textContent = "This figure could not be drawn: " + error.message;
      });
    }
  }

  document.documentElement.classList.add("live");
  drawAll();
  dark.addEventListener("change", drawAll);
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
