import { useEffect, useRef } from "react";

type ShownPictureProps = {
  /** Path of a picture of the site, or a file that is not sent yet. */
  source: string | File;
  className: string;
};

/**
 * A picture in its own shape. A file is drawn, because the security policy loads images of the site
 * alone.
 */
export function ShownPicture({ source, className }: ShownPictureProps) {
  if (typeof source === "string") return <img alt="" src={source} className={className} />;
  return <DrawnFile file={source} className={className} />;
}

function DrawnFile({ file, className }: { file: File; className: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // Outside React: the canvas.
  useEffect(() => {
    let isLeft = false;
    void createImageBitmap(file).then((picture) => {
      if (isLeft || !canvas.current) return;
      canvas.current.width = picture.width;
      canvas.current.height = picture.height;
      canvas.current.getContext("2d")?.drawImage(picture, 0, 0);
      picture.close();
    });
    return () => {
      isLeft = true;
    };
  }, [file]);
  return <canvas ref={canvas} width={1} height={1} className={className} />;
}
