// Starts the page, or shows an error in it. A missing module stops every module that imports it before its first line, so
// this script imports nothing statically. It is not a module itself, as a page that is opened as a file cannot load one.

(async () => {
  try {
    // Imported separately first, so that the error names it.
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
