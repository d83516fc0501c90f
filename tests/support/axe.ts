import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Returns axe's violations on a page, one a line. Bars that stay in view while the page scrolls
 * cover a part of some rows. So each target that is too small is looked at once more in the middle
 * of the window.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    const options = { resultTypes: ["violations" as const], preload: false };
    const { violations } = await window.axe.run(document, {
      ...options,
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      elementRef: true,
    });
    const lines: string[] = [];
    for (const { id, nodes } of violations) {
      for (const { html, any, all, none, element } of nodes) {
        if (id === "target-size" && element && (await isLargeInTheMiddle(element))) continue;
        const reasons = [...any, ...all, ...none].map(({ message }) => message);
        lines.push(`${id}: ${reasons.join("; ")}: ${html.slice(0, 200)}`);
      }
    }
    return lines;

    async function isLargeInTheMiddle(element: HTMLElement) {
      const { scrollX, scrollY } = window;
      element.scrollIntoView({ block: "center" });
      const again = { ...options, runOnly: ["target-size"], elementRef: true };
      const { violations } = await window.axe.run(document, again);
      window.scrollTo(scrollX, scrollY);
      return !violations.some(({ nodes }) => nodes.some((node) => node.element === element));
    }
  });
}

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface merges with the browser's own
  interface Window {
    axe: typeof axe;
  }
}
