import { computeAccessibleName, getRole } from "dom-accessibility-api";
import { parseHTML } from "linkedom";

/** The HTML elements that have a role without a `role` attribute, for the roles that tests look for. */
const ELEMENTS = {
  alert: [],
  alertdialog: [],
  dialog: ["dialog"],
  button: ["button"],
  group: ["fieldset"],
  heading: ["h1", "h2", "h3"],
  link: ["a[href]"],
  listitem: ["li"],
  region: ["section"],
  status: ["output"],
} as const;

type Role = keyof typeof ELEMENTS;

/** A form field as the page shows it. */
type Field = {
  /** The value; undefined when the field has none. */
  value: string | undefined;
  /** The error as a screen reader reads it; undefined when the field is valid. */
  error: string | undefined;
};

type Page = ReturnType<typeof parsePage>;

let last: { html: string; page: Page } | undefined;

/** Parses a page, so that tests find its parts by role and name. The last page is parsed only once. */
export function readPage(html: string): Page {
  if (last?.html !== html) last = { html, page: parsePage(html) };
  return last.page;
}

function parsePage(html: string) {
  const { document } = parseHTML(html);

  return {
    document,
    /** Returns an attribute of the `<html>` element. */
    rootAttribute: (name: string) => document.documentElement.getAttribute(name) ?? undefined,
    title: () => textOf(document.querySelector("title")),
    text: () => textOf(document),
    find: (role: Role, name?: string | RegExp) => findAll(document, role, name)[0],
    findAll: (role: Role, name?: string | RegExp) => findAll(document, role, name),
    /** Returns the URL of the link with this name. */
    linkTo: (name: string | RegExp) =>
      findAll(document, "link", name)[0]?.getAttribute("href") ?? undefined,
    /** Returns the texts of the alerts, field errors included. */
    alerts: () => findAll(document, "alert").map(textOf).filter(Boolean),
    /** Returns the cells' texts of each row of the tables' bodies. */
    rows: () =>
      [...document.querySelectorAll("tbody tr")]
        // Titles between the rows, and what a row opens to, have one cell for screen readers.
        .filter(({ children }) => [...children].filter(isToldOf).length > 1)
        .map((row) => [...row.children].map(textOf)),
    /** Returns the first field that a form submits under this name, or undefined. */
    field: (name: string) => readField(document, name),
    /** Returns the part that only browsers without JavaScript show; the toast is in it. */
    noscript: () => document.querySelector("noscript"),
  };
}

function isToldOf(element: Element): boolean {
  return element.getAttribute("aria-hidden") !== "true";
}

/** Returns the elements of a role in order, those with this accessible name when one is given. */
export function findAll(within: Element | Document, role: Role, name?: string | RegExp): Element[] {
  const selector = [`[role="${role}"]`, ...ELEMENTS[role]].join(",");
  return [...within.querySelectorAll(selector)].filter(
    (element) =>
      getRole(element) === role &&
      !element.closest('[hidden],[aria-hidden="true"]') &&
      (name === undefined || isNamed(element, name)),
  );
}

function isNamed(element: Element, name: string | RegExp): boolean {
  if (typeof name === "string" && !mayBeNamed(element, name)) return false;
  // The parser computes no styles: no stylesheet hides a part of a name.
  const { style } = element as HTMLElement;
  const own = withoutMarks(computeAccessibleName(element, { getComputedStyle: () => style }));
  return typeof name === "string" ? own === name : name.test(own);
}

/** False when neither the text nor an attribute can give this name: computing the names of 400 links takes seconds. */
function mayBeNamed(element: Element, name: string): boolean {
  const naming = "[aria-label],[aria-labelledby],[alt],[title]";
  if (element.matches(naming) || element.querySelector(naming)) return true;
  return withoutSpaces(element.textContent).includes(withoutSpaces(name));
}

function withoutSpaces(text: string): string {
  return withoutMarks(text).replaceAll(" ", "");
}

function readField(document: Document, name: string): Field | undefined {
  const tags = ["input", "textarea", "select"];
  const fields = document.querySelectorAll(tags.map((tag) => `${tag}[name="${name}"]`).join(","));
  // The toast's Undo form may have fields of the same names.
  const field = [...fields].find((one) => !one.closest("noscript"));
  if (!field) return undefined;
  return { value: shownValueOf(field), error: errorOf(field) };
}

function shownValueOf(field: Element): string | undefined {
  // A line break at the start of a text area is no part of its value.
  if (field.localName === "textarea") return field.textContent.replace(/^\n/, "");
  if (field.getAttribute("type") === "checkbox") return checkedValuesOf(field);
  const element = field.localName === "select" ? field.querySelector("option[selected]") : field;
  return element?.getAttribute("value") ?? undefined;
}

/** Returns the checked values of all checkboxes of a name, joined with commas. */
function checkedValuesOf(field: Element): string {
  const name = field.getAttribute("name");
  const checked = field.ownerDocument.querySelectorAll(`input[name="${name}"][checked]`);
  return [...checked].map((box) => box.getAttribute("value")).join(",");
}

function errorOf(field: Element): string | undefined {
  if (field.getAttribute("aria-invalid") !== "true") return undefined;
  const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids
    .map((id) => field.ownerDocument.getElementById(id))
    .filter((element) => element?.getAttribute("role") === "alert")
    .map(textOf)
    .join(" ");
}

/** Returns a node's text without scripts, styles and direction marks; white space is collapsed. */
export function textOf(node: Node | null | undefined): string {
  return withoutMarks(textsOf(node).join(" "));
}

/** Returns a node's texts in order; a `<wbr>`, a comment and an icon do not split a text. */
export function textsOf(node: Node | null | undefined): string[] {
  const texts = [""];
  if (node) collectTexts(node, texts);
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

function collectTexts(node: Node, texts: string[]): void {
  for (const child of node.childNodes) {
    if (child.nodeType === child.TEXT_NODE) texts.push((texts.pop() ?? "") + child.textContent);
    if (child.nodeType !== child.ELEMENT_NODE) continue;
    const tag = child.nodeName.toLowerCase();
    if (["script", "style", "svg", "wbr"].includes(tag)) continue;
    const isInSentence = tag === "bdi" && child.previousSibling?.nodeType === child.TEXT_NODE;
    if (!isInSentence) texts.push("");
    collectTexts(child, texts);
    if (!isInSentence) texts.push("");
  }
}

/**
 * Returns the scripts of a page that stored markup would have added.
 * @public For features, of which there may be none.
 */
export function alertScriptsOf(html: string): (string | null)[] {
  const scripts = [...readPage(html).document.querySelectorAll("script")];
  return scripts.map(({ textContent }) => textContent).filter((text) => text?.startsWith("alert("));
}

function withoutMarks(text: string): string {
  return text
    .replace(/[\u2066-\u2069]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
