import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const BUILD = resolve(import.meta.dirname, "../build");

/** What a browser fetches for a page. Sizes in bytes, each file gzipped separately, as it is sent. */
type PageWeight = { script: number; style: number; requests: number };

/** A first page contains its styles inline. */
const OWN_STYLE = /<style\b[^>]*>([\s\S]*?)<\/style>/g;
const STYLE = /<link rel="stylesheet" href="([^"]+)"/g;
/** In tags, and in the inline module that starts the application. */
const SCRIPT =
  /(?:<link rel="modulepreload"[^>]*? href=|<script\b[^>]* src=|\bfrom |\bimport[ (])"([^"]+\.js)"/g;
const PRELOAD = /<link rel="preload" [^>]*\bhref="([^"]+)"/g;
const PICTURE = /<(?:link rel="icon"|use\b|img\b)[^>]*? (?:href|src)="([^"#]+)/g;

/**
 * Measures a page by its HTML: the files it names, and the scripts that these import statically. `requests` counts the
 * document, its styles, scripts, preloaded data and pictures once each (all icons are one, the tab's icon is another).
 * Not counted: the web manifest, which a browser fetches at any time, and everything that scripts fetch after the page
 * works.
 */
export function weighPage(html: string): PageWeight {
  const scripts = withStaticImports(namesIn(html, SCRIPT));
  const styles = namesIn(html, STYLE);
  const others = [...namesIn(html, PRELOAD), ...namesIn(html, PICTURE)];
  return {
    script: gzippedSize("client", scripts),
    style: gzippedSize("client", styles) + ownStyleSize(html),
    requests: 1 + scripts.length + styles.length + others.length,
  };
}

function ownStyleSize(html: string): number {
  const styles = Array.from(html.matchAll(OWN_STYLE), ([, style = ""]) => gzipSync(style).length);
  return styles.reduce((sum, size) => sum + size, 0);
}

function namesIn(html: string, pattern: RegExp): string[] {
  const names = Array.from(html.matchAll(pattern), ([, name = ""]) => name);
  return [...new Set(names)];
}

/** Returns the size of the worker's code, gzipped, in bytes. */
export function weighWorker(): number {
  return gzippedSize("server", globSync("**/*.js", { cwd: join(BUILD, "server") }));
}

/** Returns scripts with all their static imports; dynamic `import()` does not count. */
function withStaticImports(scripts: string[]): string[] {
  const all = new Set(scripts);
  // Iterating a set includes elements that are added meanwhile.
  for (const script of all) {
    const code = readFileSync(join(BUILD, "client", script), "utf8");
    for (const [, file] of code.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) {
      all.add(`/assets/${file}`);
    }
  }
  return [...all];
}

function gzippedSize(folder: "client" | "server", files: string[]): number {
  const sizes = files.map((file) => gzipSync(readFileSync(join(BUILD, folder, file))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}
