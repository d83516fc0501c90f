/** Draws into a square of a side, from the canvas' origin. */
export type Drawing = { draw: (context: CanvasRenderingContext2D, side: number) => void };

/** What a picture is made of: the URL of one, a file, or a drawing. */
export type PictureSource = string | File | Drawing;
