import { expect, test } from "vitest";
import { readUserTab, USER_TABS } from "./user-tabs.ts";

test.each([
  ["", "activity"],
  ["tab=sessions", "sessions"],
  ["tab=nothing", "activity"],
  ["tab=emails", "activity"],
])("?%s shows the tab %s", (search, tab) => {
  const allowed = USER_TABS.filter((name) => name !== "emails");

  expect(readUserTab(new URLSearchParams(search), allowed)).toBe(tab);
});
