let made: string | undefined;

/** Keeps a key that has just been made for the next page. It is in the memory of this tab alone. */
export function rememberMadeKey(secret: string): void {
  made = secret;
}

/** Returns the key that `keepMadeKey` kept for the documentation. */
export function madeKey(): string | undefined {
  return made;
}

export function forgetMadeKey(): void {
  made = undefined;
}
