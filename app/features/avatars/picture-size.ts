/** Width and height of a stored picture. */
export const AVATAR_SIZE_PX = 256;

export const AVATAR_MAX_BYTES = 100_000;

/** Largest file that the browser turns into a picture. */
export const SOURCE_MAX_BYTES = 20_000_000;

const NAME = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

export function isPictureName(name: string): boolean {
  return NAME.test(name);
}
