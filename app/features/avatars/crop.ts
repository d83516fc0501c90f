export const MAX_ZOOM = 4;

type Size = { width: number; height: number };

/** The visible square of a picture: its zoom, and its position in the remaining room, from 0 to 1 in each direction. */
export type Crop = { zoom: number; across: number; down: number };

/** The largest square, in the middle. */
export const FILLED: Crop = { zoom: 1, across: 0.5, down: 0.5 };

/** The whole picture in the middle of the square, with room beside it, or above and below. */
export function fitted(picture: Size): Crop {
  const zoom = Math.min(picture.width, picture.height) / Math.max(picture.width, picture.height);
  return { zoom, across: 0.5, down: 0.5 };
}

/** Returns the visible square in the picture's pixels. It begins outside of the picture when that is narrower. */
export function squareOf(picture: Size, { zoom, across, down }: Crop) {
  const side = Math.min(picture.width, picture.height) / zoom;
  return { left: across * (picture.width - side), top: down * (picture.height - side), side };
}

/** Returns the part of the picture that is in the square, in the picture's pixels. */
export function partOf(picture: Size, crop: Crop) {
  const { left, top, side } = squareOf(picture, crop);
  return {
    left: Math.max(0, left),
    top: Math.max(0, top),
    width: Math.min(side, picture.width),
    height: Math.min(side, picture.height),
  };
}

/** Returns the size of a part that fits a box, not enlarged. */
export function sizeWithin(box: Size, part: Size): Size {
  const scale = Math.min(1, box.width / part.width, box.height / part.height);
  return {
    width: Math.max(1, Math.round(part.width * scale)),
    height: Math.max(1, Math.round(part.height * scale)),
  };
}

/** Returns the crop after the picture was dragged by fractions of the square's side. */
export function dragged(picture: Size, crop: Crop, by: { across: number; down: number }): Crop {
  const { left, top, side } = squareOf(picture, crop);
  return {
    zoom: crop.zoom,
    across: placed(left - by.across * side, picture.width - side),
    down: placed(top - by.down * side, picture.height - side),
  };
}

/** Returns the crop at another zoom, around the same centre as far as the picture's edges allow. */
export function zoomed(picture: Size, crop: Crop, zoom: number): Crop {
  const before = squareOf(picture, crop);
  const { side } = squareOf(picture, { ...crop, zoom });
  const shift = (before.side - side) / 2;
  return {
    zoom,
    across: placed(before.left + shift, picture.width - side),
    down: placed(before.top + shift, picture.height - side),
  };
}

/** Returns a position as a fraction of the room, from 0 to 1; 0.5 without room. */
function placed(at: number, room: number): number {
  return room > 0 ? Math.min(1, Math.max(0, at / room)) : 0.5;
}
