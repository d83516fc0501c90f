import { describeError, log } from "../runtime/log.ts";
import stylesheet from "../styles/login.css?url";

/**
 * Returns a reader of the sign-in pages' stylesheet, which an anonymous visitor's first page inlines: on a slow line that
 * saves a round trip before the first paint. An isolate reads it once. The text is undefined when it cannot be read; the
 * page then links the stylesheet of all screens.
 */
export function createStylesReader(assets: Fetcher | undefined): () => Promise<string | undefined> {
  let styles: Promise<string | undefined> | undefined;

  async function read(): Promise<string | undefined> {
    // In development the stylesheet is made of modules.
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
