/** True when a pixel of a canvas is transparent. */
export function isSeeThrough(canvas: HTMLCanvasElement): boolean {
  const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? {
    data: [],
  };
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}
