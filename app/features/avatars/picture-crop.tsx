import "./slider.css";
import { type PointerEvent, type Ref, useEffect, useRef } from "react";
import { useTranslation } from "../../ui/text/translation.tsx";
import { type Crop, dragged, fitted, MAX_ZOOM, squareOf, zoomed } from "./crop.ts";
import { drawCrop } from "./picture-file.ts";
import { AVATAR_SIZE_PX } from "./picture-size.ts";
import { NAMESPACES, type PictureTexts } from "./picture-texts.ts";

type PictureCropProps = {
  kind: PictureTexts;
  picture: ImageBitmap;
  crop: Crop;
  onChange: (crop: Crop) => void;
};

/** Chooses the visible square of a picture, by dragging or with three sliders. */
export function PictureCrop({ kind, picture, crop, onChange }: PictureCropProps) {
  const { t } = useTranslation(NAMESPACES[kind]);
  const pictures = useTranslation("pictures").t;
  const first = useRef<HTMLInputElement>(null);
  const { side } = squareOf(picture, crop);
  const minZoom = kind === "picture" ? 1 : fitted(picture).zoom;

  // Outside React: focus and scroll position move to the new part of the form, including its button.
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
    first.current?.form?.scrollIntoView({ block: "end" });
  }, []);

  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-4 font-semibold">{t(`${kind}.crop`)}</legend>
      <Stage kind={kind} picture={picture} crop={crop} onChange={onChange} />
      <p className="text-center text-sm text-balance text-muted">
        {pictures(kind === "picture" ? "cropHint" : "fitHint")}
      </p>
      <div className="mx-auto grid w-60 max-w-full grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        <Slider
          ref={first}
          label={pictures("zoom")}
          min={minZoom}
          max={MAX_ZOOM}
          value={crop.zoom}
          onChange={(zoom) => onChange(zoomed(picture, crop, zoom))}
        />
        {side < picture.width && (
          <Slider
            dir="ltr"
            label={pictures("across")}
            value={crop.across}
            onChange={(across) => onChange({ ...crop, across })}
          />
        )}
        {side < picture.height && (
          <Slider
            label={pictures("down")}
            value={crop.down}
            onChange={(down) => onChange({ ...crop, down })}
          />
        )}
      </div>
    </fieldset>
  );
}

/** Shapes in which the product shows a picture. */
const FRAMES = {
  picture: "inset-0 rounded-full",
  logo: "inset-0 rounded-[19%]",
};

/** The square, which can be dragged; what the frame of the product will cover is dimmed. */
function Stage({ kind, picture, crop, onChange }: PictureCropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const grip = useRef<{ x: number; y: number }>(undefined);

  // Outside React: the canvas.
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, kind, picture, crop);
  }, [kind, picture, crop]);

  function grasp({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>) {
    currentTarget.setPointerCapture(pointerId);
    grip.current = { x: clientX, y: clientY };
  }

  function drag({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) {
    if (!grip.current) return;
    const { width, height } = currentTarget.getBoundingClientRect();
    const across = (clientX - grip.current.x) / width;
    const down = (clientY - grip.current.y) / height;
    grip.current = { x: clientX, y: clientY };
    onChange(dragged(picture, crop, { across, down }));
  }

  function release() {
    grip.current = undefined;
  }

  return (
    <div
      // Checks show what is transparent, in any colour.
      className="relative mx-auto w-60 max-w-full overflow-hidden rounded-md bg-[repeating-conic-gradient(#aaa_0_25%,#888_0_50%)] bg-size-[1rem_1rem]"
    >
      <canvas
        ref={canvas}
        width={2 * AVATAR_SIZE_PX}
        height={2 * AVATAR_SIZE_PX}
        className="block aspect-square w-full cursor-move touch-none"
        onPointerDown={grasp}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={release}
      />
      <span
        className={`pointer-events-none absolute shadow-[0_0_0_12rem_rgb(0_0_0/0.55)] ${FRAMES[kind]}`}
      />
    </div>
  );
}

type SliderProps = {
  /** Left to right where the slider moves the picture; otherwise as the language. */
  dir?: "ltr";
  ref?: Ref<HTMLInputElement>;
  label: string;
  min?: number;
  max?: number;
  value: number;
  onChange: (value: number) => void;
};

function Slider({ ref, dir, label, min = 0, max = 1, value, onChange }: SliderProps) {
  return (
    <label className="col-span-2 grid grid-cols-subgrid items-center text-sm">
      {label}
      <input
        ref={ref}
        type="range"
        dir={dir}
        min={Math.floor(min * 100)}
        max={max * 100}
        value={Math.round(value * 100)}
        className="slider min-h-11 w-full"
        style={{ "--along": (value - min) / (max - min) }}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber / 100)}
      />
    </label>
  );
}
