import type { MailMessage } from "../../app/features/mail/mail-message.ts";
import { createKeys } from "../../app/runtime/keys.server.ts";
import type { Gatehouse } from "./worker.ts";

/** Returns the newest mail with a sign-in code, from the outbox: the clock may stand at any time. */
export async function newestMail(
  { d1, secret }: Pick<Gatehouse, "d1" | "secret">,
  email: string,
): Promise<{ code: string; link: string }> {
  const row = await d1
    .prepare(
      "SELECT payload FROM mail_outbox WHERE recipient = ? AND kind = 'login-code' ORDER BY created_at DESC LIMIT 1",
    )
    .bind(email)
    .first<{ payload: string }>();
  const payload = await createKeys(secret).decrypt("mail", row?.payload ?? "");
  const message: MailMessage = JSON.parse(payload);
  if (message.kind !== "login-code") throw new Error("Not a mail with a sign-in code");
  return message;
}
