import type { MessageKey } from "../../i18n/message-key.ts";
import type { CheckedMessage, MessageReference } from "../../ui/text/message.tsx";

export type BulkItem = {
  id: string;
  /** Name shown to users; "" when the row no longer existed. */
  name: string;
  /** Tells rows with equal names apart. */
  detail?: string;
  /** Reason of the refusal; undefined when the row was changed. */
  refusal: CheckedMessage | undefined;
};

/** Texts about rows of one kind, each with their number as `count`. */
export type BulkWords = {
  /** "2 users not changed:" */
  refused: MessageKey;
  /** After some names: "2 more". */
  more: MessageKey;
  /** In place of names: "2 users". */
  unnamed: MessageKey;
};

export type BulkReport = {
  /** Message that says what was done, with the number as `count`: "users:bulk.banned". */
  done: MessageKey;
  words: BulkWords;
  items: BulkItem[];
  /** Intent of the form that undoes the change. */
  undo?: string;
};

/** Result of an action on many rows. */
export type BulkAnswer = { report: BulkReport } | { error: MessageReference };
