import { join } from "node:path";
import { Key, type WebDriver, type WebElement } from "selenium-webdriver";
import { build } from "vite";
import { vi } from "vitest";
import type { Locator, Page, Role, Wanted } from "./engine-page.ts";
import type { Step } from "./find-in-page.ts";

/** Only ends what hangs. */
const PATIENCE = { timeout: 120_000, interval: 50 };
/** The errors of WebDriver after which nothing has been clicked or typed. */
const NOT_DONE =
  /stale element|element click intercepted|element not interactable|no such element|StaleElement|ElementClickIntercepted|ElementNotInteractable/;

/** Returns the functions of `find-in-page.ts` as one script. */
async function bundleFinder(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      lib: {
        entry: join(import.meta.dirname, "find-in-page.ts"),
        formats: ["iife"],
        name: "finder",
      },
    },
  });
  const [bundle] = Array.isArray(output) ? output : [output];
  if (!bundle || !("output" in bundle)) throw new Error("The finder was not built");
  return bundle.output[0].code;
}

type Frame = {
  driver: WebDriver;
  origin: string;
  setViewportSize: (size: { width: number; height: number }) => Promise<unknown>;
};

/** Drives a browser through WebDriver in the way of Playwright's page, for the engines that Playwright cannot start. */
export async function drivePage({ driver, origin, setViewportSize }: Frame): Promise<Page> {
  const finder = await bundleFinder();

  /** Runs the body of a function in the page and returns its result. A promise is awaited. */
  async function run(body: string, ...values: unknown[]): Promise<unknown> {
    const script = `
      const done = arguments[arguments.length - 1];
      (async (...values) => { ${body} })(...arguments)
        .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const answer: { value?: unknown; error?: string } = await driver.executeAsyncScript(
      script,
      ...values,
    );
    if (answer.error) throw new Error(answer.error);
    return answer.value;
  }

  /**
   * Clicks on an element that the steps find. A page that changes meanwhile may have put another
   * one in its place, which then gets the click: the engines do not notice that.
   */
  async function clickOn(steps: Step[], element: WebElement): Promise<void> {
    await run(
      `${finder}; const [steps] = values;
       window.isMissed = true;
       const note = ({ target }) => {
         window.isMissed = !finder.findAll(steps).some((found) => found.contains(target));
       };
       document.addEventListener("click", note, { capture: true, once: true });`,
      steps,
    );
    await element.click();
    if (await isMissed()) throw new Error("element click intercepted");
  }

  /** False on the next document too, which has no such mark, and while it loads. */
  async function isMissed(): Promise<boolean> {
    try {
      return (await driver.executeScript("return window.isMissed")) === true;
    } catch {
      return false;
    }
  }

  function locate(steps: Step[]): Locator {
    const read = (expression: string) =>
      run(
        `${finder}; const elements = finder.findAll(values[0]); const [element] = elements;
         return ${expression};`,
        steps,
      );

    /** Does something with the element, once it is there and at rest. */
    async function act<Result>(
      does: (element: WebElement) => Promise<Result>,
      isFile = false,
    ): Promise<Result> {
      let failure: unknown;
      const result = await vi.waitFor(async () => {
        const element = (await run(
          `${finder}; return finder.findOne(values[0], values[1]);`,
          steps,
          isFile,
        )) as WebElement;
        try {
          return { done: await does(element) };
        } catch (error) {
          if (NOT_DONE.test(String(error))) throw error;
          failure = error;
          return undefined;
        }
      }, PATIENCE);
      if (!result) throw failure;
      return result.done;
    }

    const nested = (step: Step) => locate([...steps, step]);
    return {
      getByRole: (role, options = {}) => nested(byRole(role, options)),
      getByLabel: (label) => nested({ label: wantedText(label) }),
      getByText: (text) => nested({ text: wantedText(text) }),
      count: async () => Number(await read("elements.length")),
      waitFor: async () => {
        await vi.waitFor(async () => {
          const count = await read("elements.length");
          if (count !== 1) throw new Error(`${count} elements for ${JSON.stringify(steps)}`);
        }, PATIENCE);
      },
      innerText: async () => String(await read("element.innerText")),
      inputValue: async () => String(await read("element.value")),
      isChecked: async () => Boolean(await read("element.checked")),
      click: () => act((element) => clickOn(steps, element)),
      fill: (text) =>
        act(async (element) => {
          if (await run("return values[0].value !== ''", element)) await element.clear();
          await element.sendKeys(text);
        }),
      pressSequentially: (text) => act((element) => element.sendKeys(text)),
      press: (key) => act((element) => element.sendKeys(KEYS[key])),
      selectOption: (value) =>
        act(async (element) => {
          await run(
            `const [select, value] = values;
             select.value = value;
             for (const type of ["input", "change"]) {
               select.dispatchEvent(new Event(type, { bubbles: true }));
             }`,
            element,
            value,
          );
        }),
      setInputFiles: (path) => act((element) => element.sendKeys(path), true),
    };
  }

  const root = locate([]);
  return {
    goto: (path) => driver.get(new URL(path, origin).href),
    reload: () => driver.navigate().refresh(),
    evaluate: async <Result>(does: () => Result | Promise<Result>) =>
      // The page returns what the function returns.
      (await run(`return (${does})();`)) as Result,
    setViewportSize,
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), "base64"),
    getByRole: root.getByRole,
    getByLabel: root.getByLabel,
    getByText: root.getByText,
  };
}

const KEYS = {
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Home: Key.HOME,
  End: Key.END,
  Space: Key.SPACE,
} as const;

function byRole(role: Role, { name, exact }: { name?: Wanted; exact?: boolean }): Step {
  return { role, exact, ...(name === undefined ? {} : { name: wantedText(name) }) };
}

function wantedText(wanted: Wanted) {
  return typeof wanted === "string" ? wanted : { pattern: wanted.source };
}
