import stylesheet from "../styles/app.css?url";
import { describeError, log } from "./log.ts";

/**
 * The text of the stylesheet, which a stranger's first page carries with it: on a slow line that page is then seen a
 * round trip sooner. An isolate reads it once. Undefined where it cannot be had; the page then names the file.
 */
export function createStylesReader(assets: Fetcher | undefined): () => Promise<string | undefined> {
  let styles: Promise<string | undefined> | undefined;

  async function read(): Promise<string | undefined> {
    // In development the file is made of modules.
    if (!assets || import.meta.env.DEV) return undefined;
    const response = await assets.fetch(new URL(stylesheet, "https://assets.local"));
    if (!response.ok) throw new Error(`The stylesheet answered ${response.status}`);
    return response.text();
  }

  return () => {
    styles ??= read().catch((error) => {
      styles = undefined;
      log("warn", "styles.unreadable", describeError(error));
      return undefined;
    });
    return styles;
  };
}
