import type { MessageReference } from "./message.tsx";

/** What became of one of the rows that something was done with. */
export type BulkItem = {
  id: string;
  /** What people know it by; "" when it was not there. */
  name: string;
  /** What tells it from others of the same name. */
  detail?: string;
  /** Why it was refused; undefined when it was done. */
  refusal: MessageReference | undefined;
};

export type BulkReport = {
  /** The sentence that says what was done, which has a number in it: "users:bulk.banned". */
  done: string;
  items: BulkItem[];
  /** The intent that takes back what was done. */
  undo?: string;
};

/** What an action answers that does something with many rows. */
export type BulkAnswer = { report: BulkReport } | { error: MessageReference };
