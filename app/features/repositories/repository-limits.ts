export const REPOSITORY_NAME_MAX_LENGTH = 100;
export const LINK_MIN_LENGTH = 4;
export const LINK_MAX_LENGTH = 2_048;
export const DESCRIPTION_MAX_LENGTH = 2_000;

/** Sort orders of the list; the first is the default. */
export const REPOSITORY_SORTS = ["updated", "created", "name"] as const;
