import { connect } from "node:net";
import type { Command, Executor } from "selenium-webdriver/lib/command.js";

/** The commands of WebDriver that the journeys use, as Firefox names them. */
const NAMES: Record<string, string> = {
  get: "WebDriver:Navigate",
  refresh: "WebDriver:Refresh",
  executeAsyncScript: "WebDriver:ExecuteAsyncScript",
  clickElement: "WebDriver:ElementClick",
  clearElement: "WebDriver:ElementClear",
  sendKeysToElement: "WebDriver:ElementSendKeys",
  addCookie: "WebDriver:AddCookie",
  deleteAllCookies: "WebDriver:DeleteAllCookies",
  setWindowRect: "WebDriver:SetWindowRect",
  screenshot: "WebDriver:TakeScreenshot",
};
/** The key of an element's id in WebDriver. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };

/**
 * Sends WebDriver's commands to a Firefox in its own protocol, Marionette: messages of JSON after their length. It
 * stands for Mozilla's geckodriver, which neither Debian nor npm have.
 */
export async function connectMarionette(port: number) {
  const waiting = new Map<number, Waiting>();
  const greeted = Promise.withResolvers<unknown>();
  const socket = connect(port, "127.0.0.1");
  socket.once("error", greeted.reject);
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let message = takeMessage(); message; message = takeMessage()) answer(message);
  });
  socket.once("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox has ended"));
  });

  function takeMessage(): string | undefined {
    const start = received.indexOf(":") + 1;
    const end = start + Number(received.subarray(0, start - 1));
    if (start === 0 || received.length < end) return undefined;
    const message = received.subarray(start, end).toString();
    received = received.subarray(end);
    return message;
  }

  function answer(message: string) {
    const parsed = JSON.parse(message);
    if (!Array.isArray(parsed)) return greeted.resolve(parsed);
    const [, id, error, result] = parsed;
    const sent = waiting.get(id);
    waiting.delete(id);
    if (error) sent?.reject(new Error(`${error.error}: ${error.message}`));
    else sent?.resolve(result);
  }

  let last = 0;
  /** Sends a command of Marionette, and returns its result. */
  function send(name: string, parameters: object = {}): Promise<unknown> {
    last += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(last, { resolve, reject });
    const message = JSON.stringify([0, last, name, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    return promise;
  }

  const executor: Executor = {
    async execute(command: Command) {
      const name = NAMES[command.getName()];
      if (!name) throw new Error(`Add "${command.getName()}" to the commands of Firefox`);
      const { id, ...parameters } = command.getParameters() as { id?: Record<string, string> };
      const result = await send(name, id ? { ...parameters, id: id[ELEMENT] } : parameters);
      return (result as { value?: unknown }).value;
    },
  };
  await greeted.promise;
  return { send, executor };
}
