// node scripts/plain-english.ts: reads the comments of all tracked code, and fails when one has a banned word.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import ts from "typescript";

const BANNED: [words: string, instead: string][] = [
  ["whoever|whom", "a main clause with a subject: the user, the manager, the caller"],
  ["nobody|somebody", "no one, a user, another person"],
  ["strangers?", "anonymous visitor"],
  ["what is none", "the real condition: not a valid e-mail"],
  ["that of", "the noun again: the role of the user"],
  ["ways? in", "sign-in method"],
  ["ways? back", "return cookie, or link back"],
  ["leaving", "account deletion"],
  ["it is said", "a main clause with a subject: the screen shows"],
];

const ANY_BANNED = patternOf(BANNED.map(([words]) => words).join("|"));

// A comment in its first group, or a text in quotes that may look like one.
const PATTERNS: Record<string, RegExp> = {
  ".css": /(\/\*[\s\S]*?\*\/)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g,
  ".sql": /((?:--[^\n]*\n?[ \t]*)+|\/\*[\s\S]*?\*\/)|'[^']*'|"[^"]*"/g,
};

export type Finding = { line: number; words: string; instead: string };

/** Returns the banned words in the comments of a file. */
export function findBannedWords(path: string, text: string): Finding[] {
  // Reading the comments takes long, and few files have one of the words at all.
  if (!ANY_BANNED.test(proseOf(text))) return [];
  const pattern = PATTERNS[extname(path)];
  const comments = pattern ? commentsBy(pattern, text) : commentsOfTypeScript(path, text);
  return comments.flatMap(({ from, comment }) => {
    const prose = proseOf(comment);
    return BANNED.flatMap(([words, instead]) =>
      [...prose.matchAll(patternOf(words, "g"))].map(({ 0: found, index }) => ({
        line: text.slice(0, from + index).split("\n").length,
        words: found.replace(/\s+/g, " "),
        instead,
      })),
    );
  });
}

function patternOf(words: string, flags = ""): RegExp {
  return new RegExp(`\\b(?:${words.replaceAll(" ", "\\s+")})\\b`, `i${flags}`);
}

/** The marks at the beginnings of lines become spaces, because a phrase may continue on the next line. */
function proseOf(text: string): string {
  return text.replace(/\n[ \t]*(?:\/\/|\*|--)/g, (mark) => " ".repeat(mark.length));
}

type Comment = { from: number; comment: string };

function commentsBy(pattern: RegExp, text: string): Comment[] {
  return [...text.matchAll(pattern)].flatMap(({ 1: comment, index }) =>
    comment ? [{ from: index, comment }] : [],
  );
}

/** Returns the texts between the tokens, which are spaces and comments. */
function commentsOfTypeScript(path: string, text: string): Comment[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const gapsIn = (node: ts.Node): Comment[] => {
    if (ts.isJSDoc(node)) return [];
    const parts = node.getChildren(file);
    if (parts.length > 0) return parts.flatMap(gapsIn);
    return [{ from: node.pos, comment: text.slice(node.pos, node.getStart(file)) }];
  };
  return gapsIn(file);
}

if (import.meta.main) {
  const tracked = spawnSync("git", ["ls-files", "*.ts", "*.tsx", "*.css", "*.sql"]);
  const files = String(tracked.stdout).split("\n").filter(existsSync);
  for (const path of files) {
    for (const { line, words, instead } of findBannedWords(path, readFileSync(path, "utf8"))) {
      console.error(`${path}:${line}: "${words}". Write ${instead}.`);
      process.exitCode = 1;
    }
  }
}
