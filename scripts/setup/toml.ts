import { readFileSync, writeFileSync } from "node:fs";

const FILE = "wrangler.toml";

/** A section by its header, and by its binding where a header occurs more than once. */
type Section = { header: string; binding?: string };

/** The part above the first section. */
export const TOP: Section = { header: "" };

const LIMITS: Section = { header: "[limits]" };
const LIMITS_TEXT = `# Ends a request that computes for longer than this: a bound on the bill. Only the paid plan accepts it.
${LIMITS.header}
cpu_ms = 10000
`;

/** What one environment has of its own in wrangler.toml. */
export type Site = {
  name: string;
  accountId: string | undefined;
  /** The site's own domain, or its host on workers.dev. */
  host: string | undefined;
  isDemo: boolean;
  databaseName: string;
  databaseId: string | undefined;
  /** The bucket for pictures. */
  bucketName: string | undefined;
  sender: string | undefined;
  admins: string | undefined;
  /** Cloudflare's plan. The free one accepts no [limits], which production and staging share. */
  plan: "free" | "paid";
  /** The region near which the worker runs; undefined beside each user. */
  region: string | undefined;
};

/** True for a host that Cloudflare gives to a worker without a domain. */
export function isOnWorkersDev(host: string): boolean {
  return host.endsWith(".workers.dev");
}

/** Reads an environment's part of wrangler.toml; the empty name is production. Undefined for an unknown environment. */
export function readSite(environment: string): Site | undefined {
  const text = readFileSync(FILE, "utf8");
  const { top, database, bucket, vars, placement } = sectionsOf(environment);
  const name = getValue(text, top, "name");
  if (!name) return undefined;
  const url = getValue(text, vars, "BASE_URL") ?? "";
  const sender = getValue(text, vars, "MAIL_FROM") ?? "";
  return {
    name,
    accountId: getValue(text, TOP, "account_id"),
    host: url.startsWith("https://") ? new URL(url).host : undefined,
    databaseName: getValue(text, database, "database_name") || name,
    isDemo: getValue(text, vars, "DEMO") === "true",
    databaseId: getValue(text, database, "database_id"),
    bucketName: getValue(text, bucket, "bucket_name"),
    sender: /\.example>$|@resend\.dev>$/.test(sender) ? undefined : sender || undefined,
    admins: getValue(text, vars, "ADMIN_EMAILS") || undefined,
    plan: getValue(text, vars, "PLAN") === "paid" ? "paid" : "free",
    region: getValue(text, placement, "region"),
  };
}

/** Writes the given values of an environment into wrangler.toml and keeps the rest. True when the file changed. */
export function writeSite(environment: string, site: Partial<Site>): boolean {
  const before = readFileSync(FILE, "utf8");
  const { top, database, bucket, vars, placement } = sectionsOf(environment);
  let text = before;
  const set = (section: Section, key: string, value: string | undefined) => {
    if (value !== undefined) text = setValue(text, section, key, JSON.stringify(value));
  };
  set(top, "name", site.name);
  set(TOP, "account_id", site.accountId);
  set(database, "database_name", site.databaseName);
  set(database, "database_id", site.databaseId);
  set(vars, "MAIL_FROM", site.sender);
  set(vars, "ADMIN_EMAILS", site.admins);
  set(vars, "PLAN", site.plan);
  set(vars, "DEMO", site.isDemo?.toString());
  if (site.plan === "free") text = removeSection(text, LIMITS);
  if (site.plan === "paid" && !text.includes(LIMITS.header)) {
    text = `${text.trimEnd()}\n\n${LIMITS_TEXT}`;
  }
  if (site.host) {
    set(vars, "BASE_URL", `https://${site.host}`);
    // Without a route wrangler puts the worker on workers.dev; with one it takes it away from there.
    const routes = isOnWorkersDev(site.host)
      ? "[]"
      : `[{ pattern = ${JSON.stringify(site.host)}, custom_domain = true }]`;
    text = setValue(text, top, "routes", routes);
  }
  if ("region" in site && !site.region) text = removeSection(text, placement);
  set(placement, "region", site.region);
  if ("bucketName" in site && !site.bucketName) text = removeSection(text, bucket);
  set(bucket, "bucket_name", site.bucketName);
  if (text !== before) writeFileSync(FILE, text);
  return text !== before;
}

function sectionsOf(environment: string) {
  const prefix = environment && `env.${environment}.`;
  return {
    top: environment ? { header: `[env.${environment}]` } : TOP,
    database: { header: `[[${prefix}d1_databases]]`, binding: "DB" },
    bucket: { header: `[[${prefix}r2_buckets]]`, binding: "AVATARS" },
    vars: { header: `[${prefix}vars]` },
    placement: { header: `[${prefix}placement]` },
  };
}

/** Returns the text of a key of a section. */
export function getValue(text: string, section: Section, key: string): string | undefined {
  const line = linesOf(text, section).lines.find((each) => isKey(each, key));
  const value = /^[^=]*=\s*("(?:[^"\\]|\\.)*")/.exec(line ?? "")?.[1];
  return value === undefined ? undefined : JSON.parse(value);
}

/** Sets a key of a section to a TOML value and keeps all other lines. A new key comes first in its section. */
export function setValue(text: string, section: Section, key: string, value: string): string {
  const { before, lines, after } = linesOf(text, section);
  if (lines.length === 0) {
    const { header, binding } = section;
    const bound = binding ? `binding = "${binding}"\n` : "";
    return `${text.trimEnd()}\n\n${header}\n${bound}${key} = ${value}\n`;
  }
  const index = lines.findIndex((line) => isKey(line, key));
  const line = `${key} = ${value}`;
  if (index >= 0) lines[index] = line;
  else
    lines.splice(section === TOP ? lines.findIndex((each) => isKey(each, "name")) + 1 : 1, 0, line);
  return [...before, ...lines, ...after].join("\n");
}

/** Removes a section with the comment directly above it. */
export function removeSection(text: string, section: Section): string {
  const { before, lines, after } = linesOf(text, section);
  if (lines.length === 0) return text;
  while (before.at(-1)?.startsWith("#")) before.pop();
  return [...before, ...after].join("\n");
}

/** Splits a text into the lines before a section, the section with its header, and the lines after it. */
function linesOf(text: string, { header, binding }: Section) {
  const all = text.split("\n");
  const starts =
    header === "" ? [0] : all.flatMap((line, index) => (line === header ? [index] : []));
  for (const start of starts) {
    const end = endOf(all, start);
    const lines = all.slice(start, end);
    const isWanted = !binding || lines.includes(`binding = "${binding}"`);
    if (isWanted) return { before: all.slice(0, start), lines, after: all.slice(end) };
  }
  return { before: all, lines: [], after: [] };
}

/** The comment and the blank line above the next section belong to that section. */
function endOf(all: string[], start: number) {
  const next = all.findIndex((line, index) => index > start && line.startsWith("["));
  if (next < 0) return all.length;
  let end = next;
  while (end > start + 1 && /^(#.*)?$/.test(all[end - 1] ?? "")) end--;
  return end;
}

function isKey(line: string, key: string) {
  return line.startsWith(key) && /^\s*=/.test(line.slice(key.length));
}
