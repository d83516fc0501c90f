/** Width and height of a picture as it is kept. */
export const AVATAR_SIZE_PX = 256;

/** What a picture may weigh as it arrives here. */
export const AVATAR_MAX_BYTES = 100_000;

/** What a file may weigh that the browser is to make a picture of. */
export const SOURCE_MAX_BYTES = 20_000_000;

const NAME = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

/** Whether a picture could be kept under this name. */
export function isAvatarName(name: string): boolean {
  return NAME.test(name);
}
