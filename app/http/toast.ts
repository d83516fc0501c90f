import { redirect } from "react-router";
import { z } from "zod";
import { type NewToast, TOAST_KINDS, type Toast } from "../ui/feedback/toast-kinds.ts";
import { findCookie, serializeCookie } from "./cookies.ts";
import { localPath } from "./safe-redirect.ts";

export const TOAST_COOKIE = "gatehouse.toast";

/**
 * Counted in percent-encoded characters: a name of 100 Chinese letters takes 900. The cookie encodes them again, which
 * at most doubles the length, and a browser keeps 4,096.
 */
const MESSAGE_MAX_LENGTH = 1_200;

const ToastCookie = z.object({
  id: z.string().max(40),
  kind: z.enum(TOAST_KINDS),
  message: z.string().max(MESSAGE_MAX_LENGTH),
  undo: z
    .object({
      action: z.string().max(200).refine(localPath),
      intent: z.string().max(50),
      fields: z
        .array(z.tuple([z.string().max(50), z.string().max(600)]))
        .max(10)
        .optional(),
    })
    .optional(),
});

function toastCookie(toast: NewToast): string {
  const value = JSON.stringify({ id: crypto.randomUUID(), ...toast });
  return serializeCookie(TOAST_COOKIE, value, { maxAgeSeconds: 60 });
}

/** Redirects with a toast for the next screen. The toast is a message reference. */
export function redirectWithToast(location: string, toast: NewToast, headers = new Headers()) {
  headers.append("Set-Cookie", toastCookie(toast));
  return redirect(location, { headers });
}

/** Returns the toast of the previous screen, and the headers that delete its cookie. */
export function takeToast(request: Request): { toast: Toast | undefined; headers: Headers } {
  const headers = new Headers();
  const cookie = findCookie(request, TOAST_COOKIE);
  if (!cookie) return { toast: undefined, headers };
  headers.append("Set-Cookie", serializeCookie(TOAST_COOKIE, "", { maxAgeSeconds: 0 }));
  return { toast: ToastCookie.safeParse(parseJson(cookie)).data, headers };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
