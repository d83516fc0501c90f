/** For a person's name, in characters. */
export const NAME_MAX_LENGTH = 100;
/** RFC 5321. */
export const EMAIL_MAX_LENGTH = 254;

/** For every search field, in characters; the rest of a longer term is cut off. */
export const SEARCH_TERM_MAX_LENGTH = 200;

/** Between the request for an organization's deletion and the deletion. */
export const ORGANIZATION_GRACE_DAYS = 7;

/** Why a manager bans or impersonates a user, or disables an organization; in characters. */
export const REASON_MAX_LENGTH = 500;

export const TERMS_VERSION_MAX_LENGTH = 40;

/** After the rule is switched on, in which managers without a passkey still come in. */
export const PASSKEY_GRACE_DAYS = 7;
/** In which a manager whom an admin lets in may add a first passkey later. */
export const PASSKEY_RELEASE_HOURS = 24;

/** URLs of the site's own pages, such as its terms. */
export const URL_MAX_LENGTH = 500;
/** A sign-in or a confirmation counts as a proof of identity for this long. */
export const FRESH_MINUTES = 15;
