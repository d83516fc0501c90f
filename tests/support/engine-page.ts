/** A text that is contained in another one without regard to case, or a pattern. */
export type Wanted = string | RegExp;

export type Role =
  | "alert"
  | "alertdialog"
  | "button"
  | "checkbox"
  | "dialog"
  | "form"
  | "group"
  | "heading"
  | "link"
  | "listitem"
  | "navigation"
  | "radio"
  | "region"
  | "row"
  | "searchbox"
  | "slider"
  | "status"
  | "table"
  | "textbox";

type Lookup = {
  getByRole: (role: Role, options?: { name?: Wanted; exact?: boolean }) => Locator;
  getByLabel: (label: Wanted) => Locator;
  getByText: (text: Wanted) => Locator;
};

/** What the journeys use of Playwright's `Locator`; `driven-page.ts` has the same for the other engines. */
export type Locator = Lookup & {
  count: () => Promise<number>;
  /** Waits until one such element is visible. */
  waitFor: () => Promise<void>;
  innerText: () => Promise<string>;
  inputValue: () => Promise<string>;
  isChecked: () => Promise<boolean>;
  click: () => Promise<void>;
  fill: (text: string) => Promise<void>;
  pressSequentially: (text: string) => Promise<void>;
  press: (key: "Enter" | "Escape" | "Home" | "End" | "Space") => Promise<void>;
  selectOption: (value: string) => Promise<unknown>;
  setInputFiles: (path: string) => Promise<void>;
};

/** What the journeys use of Playwright's `Page`. */
export type Page = Lookup & {
  goto: (path: string) => Promise<unknown>;
  reload: () => Promise<unknown>;
  /** Runs a function in the page, without what is around it. */
  evaluate: <Result>(does: () => Result | Promise<Result>) => Promise<Result>;
  setViewportSize: (size: { width: number; height: number }) => Promise<unknown>;
  screenshot: () => Promise<Buffer>;
};
