import { expect, test } from "vitest";
import { readUserTab, userTabsFor } from "./user-tabs.ts";

test("each role sees the tabs that it has the permission for", () => {
  expect(userTabsFor({ role: "admin" })).toEqual(["activity", "sessions", "emails"]);
  expect(userTabsFor({ role: "auditor" })).toEqual(["activity", "sessions", "emails"]);
  expect(userTabsFor({ role: "support" })).toEqual(["sessions", "emails"]);
  expect(userTabsFor({ role: "user" })).toEqual([]);
});

test.each([
  ["", "sessions"],
  ["tab=emails", "emails"],
  ["tab=nothing", "sessions"],
  ["tab=activity", "sessions"],
])("?%s shows support the tab %s", (search, tab) => {
  expect(readUserTab(new URLSearchParams(search), userTabsFor({ role: "support" }))).toBe(tab);
});
