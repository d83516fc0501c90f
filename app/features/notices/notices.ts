type Common = {
  /** Unique among the notices. */
  key: string;
  /** When it came up. */
  at: Date;
  isUnread: boolean;
};

/** Something that needs the user's attention. */
export type Notice = Common &
  (
    | {
        kind: "invitation";
        id: string;
        organization: string;
        inviter: string;
        expiresAt: Date;
      }
    | { kind: "deletion"; slug: string; organization: string; dueAt: Date }
    | { kind: "disabled"; slug: string; organization: string; reason: string | null }
    | {
        kind: "sign-in";
        device: { browser: string; system: string } | undefined;
        place: string | null;
      }
  );

/** Field of the form that marks as read: the time of the list. */
export const READ_UNTIL = "until";
