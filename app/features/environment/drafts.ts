// What was typed into a form and not sent yet, kept in this tab. Secrets, files and read-only
// values are left out.

/** This prefix is not forgotten when the session ends: the same user gets the draft back. */
const PREFIX = "draft:";
const MAX_CHARACTERS = 20_000;
const MAX_DRAFTS = 20;

const TYPED =
  'textarea, input:is([type="text"], [type="url"], [type="email"], [type="number"], [type="tel"], :not([type]))';
const CHOSEN =
  "select, input:is([type=checkbox], [type=radio], [type=date], [type=datetime-local])";
/** Names of fields with secrets; a code or key is typed anew. */
const SECRET = /code|key|secret|token|password|mailLink/i;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

type Draft = {
  at: number;
  /** The version of the record that the form was loaded with, so that a conflict is still seen. */
  version: string | undefined;
  texts: Record<string, string>;
  /** Values of the ticked boxes and chosen radio buttons, by name. */
  ticked: Record<string, string[]>;
};

/** True for a form whose text is kept: it changes something, and something is typed into it. */
export function isKept(form: HTMLFormElement): boolean {
  return (
    form.method === "post" &&
    form.dataset.draft !== "off" &&
    controlsOf(form).some((control) => control.matches(TYPED))
  );
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].flatMap((element) => {
    const isControl =
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement;
    if (!isControl || !element.name || !element.matches(`${TYPED}, ${CHOSEN}`)) return [];
    const isSecret = element.matches("[autocomplete=one-time-code]") || SECRET.test(element.name);
    return isSecret || element.matches(":disabled, [readonly]") ? [] : [element];
  });
}

/**
 * Returns the name of a form's draft, made of its user, its screen, and the form's fields and
 * subject.
 */
export function draftKey(owner: string, form: HTMLFormElement): string {
  const names = new Set(controlsOf(form).map(({ name }) => name));
  const hidden = [...form.querySelectorAll<HTMLInputElement>('input[type="hidden"]')]
    .filter(({ name }) => name === "intent" || /id$/i.test(name))
    .map(({ name, value }) => `${name}=${value}`);
  return PREFIX + [owner, location.pathname, ...hidden, ...names].join(" ");
}

/** Keeps the values of a form, or forgets them when they are as loaded. */
export function keep(key: string, form: HTMLFormElement, isAnswered = false): void {
  const controls = controlsOf(form);
  if (!isAnswered && !controls.some(isChanged)) {
    forget(key);
    return;
  }
  const draft: Draft = { at: Date.now(), version: versionOf(form)?.value, texts: {}, ticked: {} };
  for (const control of controls) {
    if (!isBox(control)) {
      draft.texts[control.name] = control.value;
      continue;
    }
    const ticked = draft.ticked[control.name] ?? [];
    draft.ticked[control.name] = control.checked ? [...ticked, control.value] : ticked;
  }
  const text = JSON.stringify(draft);
  try {
    // No draft is better than an old one.
    forget(key);
    if (text.length > MAX_CHARACTERS) return;
    dropOldest(key);
    sessionStorage.setItem(key, text);
  } catch {
    // Storage is off or full; the text stays in the form.
  }
}

/** Makes room for one more draft. */
function dropOldest(key: string): void {
  const others = keys().filter((one) => one !== key);
  const byAge = others.sort((one, other) => (read(one)?.at ?? 0) - (read(other)?.at ?? 0));
  for (const old of byAge.slice(0, Math.max(0, byAge.length - MAX_DRAFTS + 1))) forget(old);
}

/**
 * Fills a form with its draft. Returns a function that takes it back, or undefined when there is no
 * draft that differs from what the form shows.
 */
export function giveBack(key: string, form: HTMLFormElement): (() => void) | undefined {
  const draft = read(key);
  if (!draft) return undefined;
  const undo: (() => void)[] = [];
  for (const control of controlsOf(form)) {
    if (isBox(control)) {
      const isTicked = draft.ticked[control.name]?.includes(control.value) ?? control.checked;
      if (isTicked === control.checked) continue;
      if (control.type === "radio" && !isTicked) {
        undo.push(() => control.click());
      } else {
        control.click();
        if (control.type === "checkbox") undo.push(() => control.click());
      }
      continue;
    }
    const before = control.value;
    const kept = draft.texts[control.name] ?? before;
    if (kept === before) continue;
    write(control, kept);
    undo.push(() => write(control, before));
  }
  const version = versionOf(form);
  if (undo.length === 0) return undefined;
  if (version && draft.version !== undefined) version.value = draft.version;
  return () => {
    for (const step of undo) step();
    if (version) version.value = version.defaultValue;
  };
}

/** Changes a field as typing does, so that the screen's scripts notice. */
function write(control: Control, value: string): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value") ?? {};
  set?.call(control, value);
  control.dispatchEvent(new Event("input", { bubbles: true }));
  if (control instanceof HTMLSelectElement)
    control.dispatchEvent(new Event("change", { bubbles: true }));
}

export function forget(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is off, so it holds nothing.
  }
}

export function forgetAll(): void {
  for (const key of keys()) forget(key);
}

/** True while this tab keeps a draft of a user. */
export function hasDraft(owner: string): boolean {
  return keys().some((key) => key.startsWith(`${PREFIX}${owner} `));
}

function keys(): string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function read(key: string): Draft | undefined {
  try {
    // Only `keep` writes these.
    return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function versionOf(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector('input[type="hidden"][name="version"]');
}

function isBox(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.matches("[type=checkbox], [type=radio]");
}

function isChanged(control: Control): boolean {
  if (isBox(control)) return control.checked !== control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.value !== control.defaultValue;
  return [...control.options].some((option) => option.selected !== option.defaultSelected);
}
