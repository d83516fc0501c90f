import { basename } from "node:path";
import { expect, test } from "vitest";
import { files, folderOf } from "./support/imports.ts";

test("no two files have one name", () => {
  // A route has the last word of its URL; each feature keeps the schemas of its forms in input.ts.
  const names = files
    .filter((file) => folderOf(file) !== "routes" && !file.endsWith("/input.ts"))
    // The queries of a feature and their piece of UI may share a name in one folder.
    .map((file) => file.replace(/(\.server)?\.tsx?$/, ""));
  const folders = Map.groupBy(new Set(names), (name) => basename(name));

  expect([...folders.values()].filter((same) => same.length > 1)).toEqual([]);
});

test("no file has a name such as utils or helpers", () => {
  const drawers = /(^|\/)(utils?|misc|helpers?|common|shared|lib)(\/|\.server)?(\.tsx?|\/)/;

  expect(files.filter((file) => drawers.test(file))).toEqual([]);
});

test("file and folder names are kebab-case", () => {
  expect(
    files.filter((file) => !/^[a-z0-9/-]+(\.(server|client|worker))?\.tsx?$/.test(file)),
  ).toEqual([]);
});
