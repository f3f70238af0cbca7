"""Pictures of tables, as SVG inside the page: they need no JavaScript, and can be printed."""
