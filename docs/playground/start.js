// Starts the page, or says in it why it cannot. A part that is missing stops all that import it before their first
// line, so this imports nothing beforehand, and is no module: a page that is opened as a file has none.

(async () => {
  try {
    // By itself first, so that its absence is told by its name.
    await import("./lodger.js");
    const { start } = await import("./playground.js");
    window.playground = await start();
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    const trouble = document.getElementById("trouble");
    trouble.hidden = false;
    trouble.textContent = `The scene cannot be shown: ${error.message}. The folder is built and served by: cargo xtask web --serve`;
    throw error;
  }
})();
