import { expect, test } from "vitest";
import { shortcutOf } from "./shortcuts.ts";

const NONE = {
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
};

test.each([
  ["Ctrl-K", { key: "k", ctrlKey: true }, "palette"],
  ["Ctrl-K with Caps Lock", { key: "K", ctrlKey: true }, "palette"],
  ["Ctrl-K on an Arabic keyboard", { key: "ن", code: "KeyK", ctrlKey: true }, "palette"],
  ["Ctrl-K on a Dvorak keyboard", { key: "k", code: "KeyV", ctrlKey: true }, "palette"],
  ["the K key of a Dvorak keyboard", { key: "t", code: "KeyK", ctrlKey: true }, undefined],
  ["Cmd-K elsewhere than on a Mac", { key: "k", metaKey: true }, undefined],
  ["Ctrl-Shift-K", { key: "K", ctrlKey: true, shiftKey: true }, undefined],
  ["Ctrl-Alt-K", { key: "k", ctrlKey: true, altKey: true }, undefined],
  ["K", { key: "k" }, undefined],
  ["a slash", { key: "/", code: "Slash" }, "search"],
  ["a slash on a French keyboard", { key: "/", code: "Period", shiftKey: true }, "search"],
  ["the slash key of an Arabic keyboard", { key: "ظ", code: "Slash" }, "search"],
  ["Ctrl and a slash", { key: "/", ctrlKey: true }, undefined],
  ["Alt and a slash", { key: "/", altKey: true }, undefined],
  ["a question mark", { key: "?", code: "Slash", shiftKey: true }, "shortcuts"],
  ["an Arabic question mark", { key: "؟", code: "Slash", shiftKey: true }, "shortcuts"],
  ["Cmd and a question mark", { key: "?", metaKey: true }, undefined],
  ["a key that is held down", { key: "k", ctrlKey: true, repeat: true }, undefined],
  ["a key that composes a letter", { key: "/", isComposing: true }, undefined],
])("%s gives the expected shortcut, or none", (_name, event, expected) => {
  expect(shortcutOf({ ...NONE, ...event }, false)).toBe(expected);
});

test("on an Apple keyboard Cmd opens the palette, and Ctrl-K keeps its meaning in a text", () => {
  expect(shortcutOf({ ...NONE, key: "k", metaKey: true }, true)).toBe("palette");
  expect(shortcutOf({ ...NONE, key: "k", ctrlKey: true }, true)).toBeUndefined();
});
