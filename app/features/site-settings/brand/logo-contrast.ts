import { channelsOf, contrastOf, luminanceOf } from "../../../values/contrast.ts";

/** The contrast that WCAG 2.2 asks of graphics (1.4.11). */
const VISIBLE = 3;

/** `data` are red, green, blue and opacity of each pixel, from 0 to 255. */
export type Pixels = { data: Uint8ClampedArray; width: number };

/**
 * True when a logo is hardly visible on a colour: most of what it draws has too little contrast,
 * and what has more is less than half as large, so it is no outline or text on a pale shape. A logo
 * that is nowhere see-through brings its own background.
 */
export function isFaintOn({ data, width }: Pixels, ground: string): boolean {
  const below = channelsOf(ground);
  const belowLuminance = luminanceOf(below);
  const drawn = new Part();
  const visible = new Part();
  for (let index = 0; index * 4 < data.length; index++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index * 4, index * 4 + 4);
    if (alpha === 0) continue;
    const opacity = alpha / 255;
    const seen = [red, green, blue].map(
      (channel, at) => channel * opacity + (below[at] ?? 0) * (1 - opacity),
    );
    const place = { x: index % width, y: Math.floor(index / width), opacity };
    drawn.add(place);
    if (contrastOf(luminanceOf(seen), belowLuminance) >= VISIBLE) visible.add(place);
  }
  if (drawn.amount === data.length / 4) return false;
  return visible.amount < drawn.amount / 2 && visible.area < drawn.area / 2;
}

/** Pixels of a picture: how much they draw, and the rectangle around them. */
class Part {
  amount = 0;
  private readonly from = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY };
  private readonly to = { x: -1, y: -1 };

  add({ x, y, opacity }: { x: number; y: number; opacity: number }) {
    this.amount += opacity;
    this.from.x = Math.min(this.from.x, x);
    this.from.y = Math.min(this.from.y, y);
    this.to.x = Math.max(this.to.x, x);
    this.to.y = Math.max(this.to.y, y);
  }

  get area(): number {
    if (this.amount === 0) return 0;
    return (this.to.x - this.from.x + 1) * (this.to.y - this.from.y + 1);
  }
}
