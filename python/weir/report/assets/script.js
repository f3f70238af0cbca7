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

  // The still of a figure stays until all its panels are drawn, and for good if one cannot be.
  function draw(figure) {
    const plots = [...figure.querySelectorAll(".plot")];
    return Promise.all(plots.map((plot) => fit(data.specs[plot.dataset.spec], plot))).then(
      () => figure.classList.add("live"),
      (error) => console.error("figure " + figure.id + " stays as it is: " + error.message),
    );
  }

  function drawAll() {
    for (const figure of document.querySelectorAll(".figure")) draw(figure);
  }

  drawAll();
  dark.addEventListener("change", drawAll);
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
