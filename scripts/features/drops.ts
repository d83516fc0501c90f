const MADE =
  /^\s*CREATE\s+(?:UNIQUE\s+|VIRTUAL\s+)?(TABLE|INDEX|TRIGGER|VIEW)\s+(?:IF NOT EXISTS\s+)?["`]?(\w+)/gim;

/** Returns the statements that drop what a migration makes, the last first, so that nothing refers to what is gone. */
export function dropsOf(migration: string): string[] {
  return [...migration.matchAll(MADE)]
    .map(([, kind = "", name = ""]) => `DROP ${kind.toUpperCase()} IF EXISTS ${name};`)
    .reverse();
}
