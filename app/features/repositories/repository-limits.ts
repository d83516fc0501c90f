export const REPOSITORY_NAME_MAX_LENGTH = 100;
export const LINK_MIN_LENGTH = 4;
export const LINK_MAX_LENGTH = 2_048;
export const DESCRIPTION_MAX_LENGTH = 2_000;
