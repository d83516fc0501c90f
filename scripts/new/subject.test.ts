import { expect, test } from "vitest";
import { rename } from "./render.ts";
import { type Referred, readFields, readSubject, snakeOf, titleOf, wordsOf } from "./subject.ts";

const CUSTOMER: Referred = {
  table: "customer",
  column: "customer",
  folder: "customers",
  title: "company",
  scope: "organization",
};

const read = (fields: string) => readFields(fields, { customer: CUSTOMER });

test("fields are read with their types, marks, choices and references", () => {
  const fields = read(
    "number:text!unique, total:money!, dueOn:day, status:choice(draft|sent), buyer:ref(customer)",
  );

  expect(
    fields.map(({ name, type, isRequired, isUnique }) => [name, type, isRequired, isUnique]),
  ).toEqual([
    ["number", "text", true, true],
    ["total", "money", true, false],
    ["dueOn", "day", false, false],
    ["status", "choice", true, false],
    ["buyer", "ref", false, false],
  ]);
  expect(fields[3]?.choices).toEqual(["draft", "sent"]);
  expect(fields[4]?.to).toBe(CUSTOMER);
});

test.each([
  ["total:money!", "a text that must be there"],
  ["name:text", "a text that must be there"],
  ["", "a text that must be there"],
  ["name:text!, total:euros", "is no field"],
  ["name:text!, Total:money", "is no field"],
  ["name:text!, createdAt:day", "“createdAt” has a meaning already"],
  ["name:text!, status:choice(one)", "needs its choices"],
  ["name:text!, buyer:ref(ship)", "Subjects: customer"],
  ["name:text!, buyer:ref", "Subjects: customer"],
  ["name:text!, note:longtext!", "may always be empty"],
  ["name:text!, buyer:ref(customer)!", "can be deleted"],
  ["name:text!, who:user!", "can be deleted"],
  ["name:text!, size:choice(a|b)", "a parameter of every list"],
  ["name:text!, default:day", "has a meaning already"],
  ["name:text!, status:choice(a|a)", "names a choice twice"],
  ["name:text!, name:day", "two fields “name”"],
  ["name:text!, tag:text!unique", "only the first field can"],
])("the fields %j are refused: %s", (fields, reason) => {
  expect(() => read(fields)).toThrow(reason);
});

test("a user is chosen in an organization alone", () => {
  const asked = {
    name: "task",
    plural: undefined,
    fields: "name:text!, who:user",
    titles: {},
    subjects: {},
  };

  expect(readSubject({ ...asked, scope: "organization" }).fields).toHaveLength(2);
  expect(() => readSubject({ ...asked, scope: "global" })).toThrow("members of an organization");
});

test("a subject refers to its owner's rows, or to the site's", () => {
  const asked = {
    name: "task",
    plural: undefined,
    fields: "name:text!, buyer:ref(customer)",
    titles: {},
    subjects: { customer: CUSTOMER },
  };

  expect(readSubject({ ...asked, scope: "organization" }).fields).toHaveLength(2);
  expect(() => readSubject({ ...asked, scope: "global" })).toThrow("rows of other owners");
  const subjects = { customer: { ...CUSTOMER, scope: "global" as const } };
  expect(readSubject({ ...asked, subjects, scope: "personal" }).fields).toHaveLength(2);
});

test("a name that has the template's in it is put there once", () => {
  expect(rename("in_voice Invoices INVOICE in-voices", wordsOf("invoice line"))).toBe(
    "invoice_line InvoiceLines INVOICE_LINE invoice-lines",
  );
});

test.each([
  ["invoice", undefined, "invoice", "invoices"],
  ["company", undefined, "company", "companies"],
  ["box", undefined, "box", "boxes"],
  ["purchaseOrder", undefined, "purchase-order", "purchase-orders"],
  ["person", "people", "person", "people"],
])("%s with the plural %s is %s and %s", (name, plural, one, many) => {
  const words = wordsOf(name, plural);

  expect([words.one.kebab, words.many.kebab]).toEqual([one, many]);
});

test.each([
  ["sheep", "sheep", "another plural"],
  ["2nd", undefined, "is no name"],
  ["", undefined, "is no name"],
  ["naïve", undefined, "is no name"],
  ["class", undefined, "has a meaning already"],
])("the name %j with the plural %s is refused", (name, plural, reason) => {
  expect(() => wordsOf(name, plural)).toThrow(reason);
});

test("a template's name becomes the subject's, in each spelling", () => {
  const words = wordsOf("purchase order");

  expect(rename("const invoices = in_voice('/in-voices', INVOICE_API, InvoiceForm);", words)).toBe(
    "const purchaseOrders = purchase_order('/purchase-orders', PURCHASE_ORDER_API, PurchaseOrderForm);",
  );
  expect(rename("/** Finds an invoice among invoices. */", words)).toBe(
    "/** Finds a purchase order among purchase orders. */",
  );
  expect(rename('test("an invoice")', wordsOf("order"))).toBe('test("an order")');
});

test("names of fields are spelled for SQL and for people", () => {
  expect(snakeOf("dueOn")).toBe("due_on");
  expect(titleOf("dueOn")).toBe("Due on");
});
