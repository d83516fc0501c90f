import type { Person } from "./people.ts";
import type { Gatehouse } from "./worker.ts";

/** Returns functions that read users and the mails to them on one server. */
export function emailChanges({ d1, mailbox }: Pick<Gatehouse, "d1" | "mailbox">) {
  async function userOf(id: string): Promise<Person | null> {
    return d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
  }

  async function emailOf(id: string): Promise<string | undefined> {
    return (await userOf(id))?.email;
  }

  function mailsTo(email: string) {
    return mailbox.mails.filter(({ to }) => to === email);
  }

  return { userOf, emailOf, mailsTo };
}
