/** Notes about one user. One must be removed before another is added. */
export const MAX_NOTES = 100;
export const NOTE_MAX_LENGTH = 2_000;

export const MAX_METADATA = 20;
export const METADATA_NAME_MAX_LENGTH = 40;
export const METADATA_VALUE_MAX_LENGTH = 500;
