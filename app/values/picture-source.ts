/** Draws into a square of a side, from the canvas' origin. */
export type Drawing = { draw: (context: CanvasRenderingContext2D, side: number) => void };

/** Source of a picture: a URL, a file, or a drawing. */
export type PictureSource = string | File | Drawing;
