import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { build, type Rolldown } from "vite";

/** An element: its name, its attributes, and its elements and texts. */
export type BareElement = [name: string, props: object, ...children: (BareElement | string)[]];

export type RecordedTrip = { sql: string; values: unknown[] }[];

/** The statements of a page by round trip, and its elements. */
export type BarePage = { trips: RecordedTrip[]; tree: BareElement };

/** Returns the elements of a page but its scripts, which React Router draws. */
export function elementsOf(html: string): BareElement {
  return elementOf(parseHTML(html).document.documentElement);
}

function elementOf(element: Element): BareElement {
  const props: Record<string, unknown> = {};
  for (const { name, value } of element.attributes) {
    if (name === "class") props.className = value;
    else if (name === "for") props.htmlFor = value;
    // React takes an object; a data attribute is as long.
    else props[name === "style" ? "data-style" : name] = value;
  }
  const name = element.localName;
  if (name === "style") {
    return [name, { ...props, dangerouslySetInnerHTML: { __html: element.textContent } }];
  }
  const children = [...element.childNodes].flatMap((node): (BareElement | string)[] => {
    if (node.nodeName === "SCRIPT") return [];
    if (node.nodeType === node.ELEMENT_NODE) return [elementOf(node as Element)];
    return node.nodeType === node.TEXT_NODE && node.textContent ? [node.textContent] : [];
  });
  // Elements without an end tag have no children.
  return children.length > 0 ? [name, props, ...children] : [name, props];
}

/** Bundles `bare-page.ts` with these pages. Returns the file. */
export async function bundleBareWorker(pages: Record<string, BarePage>): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    define: {
      PAGES: JSON.stringify(pages),
      "process.env.NODE_ENV": '"production"',
    },
    ssr: { noExternal: true, target: "webworker" },
    build: {
      ssr: join(import.meta.dirname, "bare-page.ts"),
      write: false,
      minify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const file = join(mkdtempSync(join(tmpdir(), "gatehouse-bare-")), "index.js");
  writeFileSync(file, output[0].code);
  return file;
}
