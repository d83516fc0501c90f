/** After which what the database did not answer is tried again: the header `Retry-After`, and the page itself. */
export const DATABASE_RETRY_SECONDS = 5;
