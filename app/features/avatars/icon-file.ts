import type { Drawing, PictureSource } from "../../values/picture-source.ts";
import { PICTURE_MAX_BYTES } from "./picture-size.ts";

export type IconShape = {
  /** Width and height in pixels. */
  side: number;
  /** Part of the side that an opaque icon's picture may use. */
  part: number;
  isOpaque: boolean;
};

/**
 * Returns the icons as files with their names, made of a picture or a drawing; undefined when one
 * cannot be made.
 */
export async function makeIcons(
  shapes: Readonly<Record<string, IconShape>>,
  source: PictureSource,
  ground: string,
): Promise<File[] | undefined> {
  const picture = typeof source === "object" && "draw" in source ? source : await read(source);
  if (!picture) return undefined;
  const files: File[] = [];
  for (const [name, shape] of Object.entries(shapes)) {
    const blob = await drawIcon(shape, picture, ground);
    if (blob?.type !== "image/png" || blob.size > PICTURE_MAX_BYTES) return undefined;
    files.push(new File([blob], name, { type: blob.type }));
  }
  return files;
}

async function read(source: string | File): Promise<ImageBitmap | undefined> {
  try {
    const blob = typeof source === "string" ? await (await fetch(source)).blob() : source;
    return await createImageBitmap(blob);
  } catch {
    return undefined;
  }
}

/**
 * Returns the size of a picture in an icon. In an opaque icon the picture's corners touch a circle,
 * because a system may cut the icon to one.
 */
function sizeInIcon(
  { side, part, isOpaque }: IconShape,
  picture: { width: number; height: number },
): { width: number; height: number } {
  const { width, height } = picture;
  const scale = isOpaque
    ? (side * part) / Math.hypot(width, height)
    : side / Math.max(width, height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

function drawIcon(
  shape: IconShape,
  picture: ImageBitmap | Drawing,
  ground: string,
): Promise<Blob | null> {
  const { side, isOpaque } = shape;
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  if (isOpaque) {
    context.fillStyle = ground;
    context.fillRect(0, 0, side, side);
  }
  const { width, height } = sizeInIcon(
    shape,
    "draw" in picture ? { width: 1, height: 1 } : picture,
  );
  context.translate((side - width) / 2, (side - height) / 2);
  context.imageSmoothingQuality = "high";
  if ("draw" in picture) picture.draw(context, width);
  else context.drawImage(picture, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
