/** Waits until the browser reports that its network is back. */
export function backOnline(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener("online", () => resolve(), { once: true });
  });
}
