/**
 * Who makes the product send a mail: someone without a session, the mailbox's own user, another user, or a manager.
 */
type Causer = "anonymous visitor" | "own user" | "other user" | "manager";

/**
 * What a kind of mail may take of a mailbox. Each kind has a room of its own, so no kind uses up
 * another's, and in a room that the outbox keeps nobody else can use up the own user's part.
 */
export type MailRule = {
  /** Codes leave first, then warnings about the own account, then what others cause. */
  share: "codes" | "warnings" | "others";
  /** Who can cause it, and how many mails to one mailbox in a day. */
  causes: readonly { by: Causer; aDay: number }[];
  /** What keeps the number: a count of the outbox, or the limits of codes, which count each cause by itself. */
  keptBy: "outbox" | "codes";
  /** Most mails of the kind to others that one user causes in a day, in a room of their own too. */
  byUser: number | undefined;
};

/** The rule of a kind that the outbox counts for the mailbox. */
export function kept<const Share extends MailRule["share"]>(
  share: Share,
  by: Causer,
  aDay: number,
) {
  return { share, causes: [{ by, aDay }], keptBy: "outbox", byUser: undefined } as const;
}

/** The rule of a kind that other users cause. The outbox counts it for the mailbox, and for the user. */
export function causedByUsers(aDay: number, byUser: number) {
  return { ...kept("others", "other user", aDay), byUser } as const;
}
