import { href } from "react-router";
import type { SentForm } from "./sent-form.ts";

/** Dispatched on `window` when an action needs a proof of identity first. */
export const UNPROVED = "gatehouse:unproved";

/** Search param of the screen that asks for a proof: only a passkey will do. */
export const BY_PASSKEY = "passkey";

export type Unproved = {
  /** True when a code is not enough. */
  isByPasskey: boolean;
  /** The action to repeat after the proof: a form to send, or a function to call. */
  next: SentForm | (() => void);
};

/** Asks for a proof, and repeats the action after it. */
export function proveFirst(next: Unproved["next"], isByPasskey = false): void {
  const detail: Unproved = { next, isByPasskey };
  dispatchEvent(new CustomEvent(UNPROVED, { detail }));
}

/**
 * Asks for the proof over the form when the server redirected to the screen for it. Returns the
 * typed values, which the form keeps; undefined for any other answer.
 */
export async function askForProof(answer: unknown, sent: Pick<Request, "url" | "formData">) {
  if (!(answer instanceof Response)) return undefined;
  const [screen = "", search] = answer.headers.get("Location")?.split("?") ?? [];
  const screens: string[] = [href("/app/account/confirm"), href("/manager/account/confirm")];
  // The form of that screen itself redirects to it after a code was sent.
  if (!screens.includes(screen) || new URL(sent.url).pathname === screen) return undefined;
  // Without its code the router goes to that screen, as without JavaScript.
  const form = await import("./sent-form.ts").catch(() => undefined);
  const { next, values } = (await form?.readSentForm(sent)) ?? {};
  if (!next) return undefined;
  proveFirst(next, new URLSearchParams(search).has(BY_PASSKEY));
  return { values, errors: {} };
}
