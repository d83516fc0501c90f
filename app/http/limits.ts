/** Of a person's name. */
export const NAME_MAX_LENGTH = 100;
/** RFC 5321. */
export const EMAIL_MAX_LENGTH = 254;
