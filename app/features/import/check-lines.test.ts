import { expect, test } from "vitest";
import { readPerson } from "./check-lines.server.ts";
import { columnsFor } from "./columns.server.ts";

function read(...cells: string[]) {
  return readPerson(columnsFor(null), { line: 7, cells });
}

test("a line is read as the forms of the product read their fields", () => {
  expect(read(" Zoe@Example.COM ", " Zoe\u0308  O. ", "auditor+support", "fr-CA")).toEqual({
    line: 7,
    email: "zoe@example.com",
    name: "Zoë O.",
    role: "support,auditor",
    language: "fr",
  });
});

test("all but the e-mail may be missing", () => {
  const person = { line: 7, email: "a@example.com", name: "", role: "user", language: null };

  expect(read("a@example.com")).toEqual(person);
  expect(read("a@example.com", " ", "", "\t")).toEqual(person);
});

test.each([
  [["", "Name"], "email", "validation:email.required"],
  [["a@b"], "email", "validation:email.invalid"],
  [["a@example.com", "http://x"], "name", "validation:name.link"],
  [["a@example.com", "1"], "name", "validation:name.invalid"],
  [["a@example.com", "n".repeat(101)], "name", "validation:tooLong?maximum=100"],
  [["a@example.com", "", "owner"], "role", "import:reason.role"],
  [["a@example.com", "", "", "de"], "language", "import:reason.language"],
])("%j is wrong in one field", (cells, field, reason) => {
  expect(read(...cells)).toEqual({ line: 7, field, reason });
});
