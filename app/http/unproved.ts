import { href } from "react-router";
import type { SentForm } from "./sent-form.ts";

/** Dispatched on `window` when what a person asked for needs a proof of identity first. */
export const UNPROVED = "gatehouse:unproved";

/** Search param of the screen that asks for a proof: only a passkey will do. */
export const BY_PASSKEY = "passkey";

export type Unproved = {
  /** True when a code is not enough. */
  isByPasskey: boolean;
  /** What goes on after the proof: a form is sent again, anything else is called. */
  next: SentForm | (() => void);
};

/** Calls or sends what needs a proof, once there is one. */
export function proveFirst(next: Unproved["next"], isByPasskey = false): void {
  const detail: Unproved = { next, isByPasskey };
  dispatchEvent(new CustomEvent(UNPROVED, { detail }));
}

/**
 * Asks for the proof over the form that the server answered with the screen for it, and returns what
 * was typed, for the form to keep; undefined for any other answer.
 */
export async function askForProof(answer: unknown, sent: Pick<Request, "url" | "formData">) {
  if (!(answer instanceof Response)) return undefined;
  const [screen = "", search] = answer.headers.get("Location")?.split("?") ?? [];
  const screens: string[] = [href("/app/account/confirm"), href("/manager/account/confirm")];
  // That screen's own form leads back to it once a code was sent.
  if (!screens.includes(screen) || new URL(sent.url).pathname === screen) return undefined;
  // Without its code the router goes to that screen, as without JavaScript.
  const form = await import("./sent-form.ts").catch(() => undefined);
  const { next, values } = (await form?.readSentForm(sent)) ?? {};
  if (!next) return undefined;
  proveFirst(next, new URLSearchParams(search).has(BY_PASSKEY));
  return { values, errors: {} };
}
