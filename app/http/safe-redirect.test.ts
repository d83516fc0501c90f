import { expect, test } from "vitest";
import { localPath, safeRedirect } from "./safe-redirect.ts";

test.each([
  "/app",
  "/manager",
  "/manager/users?searchTerm=%D8%A7&lng=ar#list",
  "/app/repositories/1",
])("%s is a safe redirect", (target) => {
  expect(safeRedirect(target)).toBe(target);
});

test.each([
  undefined,
  null,
  ["/app"],
  "",
  "app",
  "//x",
  "//app",
  "/\\x",
  "\\\\x",
  "/%09/x",
  "/\t/x",
  "/app\n",
  "/app\u0000",
  "/app%00",
  "/..//x",
  "/app/..//x",
  "/app/../../login",
  "/%5cx",
  "https://evil.example/app",
  "javascript:alert(1)",
  "data:text/html,x",
  "/login",
  "/",
  "/application",
  "/appx",
  "/manager.evil",
  " /app",
  "/app x",
  `/app?${"x".repeat(2_100)}`,
])("%j is not a safe redirect", (target) => {
  expect(safeRedirect(target)).toBeUndefined();
});

test("dot segments are resolved before the area is checked", () => {
  expect(safeRedirect("/app/../manager")).toBe("/manager");
  expect(safeRedirect("/app/../login")).toBeUndefined();
});

test("a local path may be any page of this origin, and of this origin only", () => {
  expect(localPath("/login/verify?email=a%40b.c")).toBe("/login/verify?email=a%40b.c");
  expect(localPath("/")).toBe("/");
  expect(localPath("//x.example")).toBeUndefined();
  expect(localPath("/.//x.example")).toBeUndefined();
});
