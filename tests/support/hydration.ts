// Both functions run inside a page.

/**
 * True when React has hydrated the page. The code of an error page comes later, so its title is
 * checked too.
 */
export function isHydrated(): boolean {
  return [document.documentElement, ...document.querySelectorAll("h1")].every((element) =>
    Object.keys(element).some((key) => key.startsWith("__reactFiber")),
  );
}

/** Waits until React has run the effects of a hydrated page, such as those that listen for keys. */
export async function effectsHaveRun(): Promise<void> {
  // React runs effects in a task of its own, which a message started; a later message arrives after it.
  for (let round = 0; round < 3; round++) {
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage("");
    });
  }
}
