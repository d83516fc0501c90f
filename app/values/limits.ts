/** Of a person's name. */
export const NAME_MAX_LENGTH = 100;
/** RFC 5321. */
export const EMAIL_MAX_LENGTH = 254;

/** Of every search field, in characters; what is longer finds nothing that this much would not. */
export const SEARCH_TERM_MAX_LENGTH = 200;
