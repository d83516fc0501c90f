/** Rows of one owner, with those that can still be brought back. */
export const MOST_ROWS = 10_000;
export const TEXT_MAX_LENGTH = 200;
export const LONG_TEXT_MAX_LENGTH = 2_000;

/** Orders of the list; the first is the default. */
export const INVOICE_SORTS = ["updated", "created", "number", "dueOn"] as const;

/** The first is chosen without another choice. */
export const STATUS_CHOICES = ["draft", "sent", "paid"] as const;
