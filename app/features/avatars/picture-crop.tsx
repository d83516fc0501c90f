import "./slider.css";
import { type PointerEvent, type Ref, useEffect, useRef } from "react";
import { useTranslation } from "../../ui/text/translation.tsx";
import { type Crop, dragged, MAX_ZOOM, squareOf, zoomed } from "./crop.ts";
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
  const first = useRef<HTMLInputElement>(null);
  const { side } = squareOf(picture, crop);

  // Outside React: focus and scroll position move to the new part of the form, including its button.
  useEffect(() => {
    first.current?.focus({ preventScroll: true });
    first.current?.form?.scrollIntoView({ block: "end" });
  }, []);

  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-4 font-semibold">{t(`${kind}.crop`)}</legend>
      <Stage kind={kind} picture={picture} crop={crop} onChange={onChange} />
      <p className="text-center text-sm text-muted">{t(`${kind}.cropHint`)}</p>
      <div className="mx-auto grid w-60 max-w-full grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
        <Slider
          ref={first}
          label={t(`${kind}.zoom`)}
          min={1}
          max={MAX_ZOOM}
          value={crop.zoom}
          onChange={(zoom) => onChange(zoomed(picture, crop, zoom))}
        />
        {side < picture.width && (
          <Slider
            dir="ltr"
            label={t(`${kind}.across`)}
            value={crop.across}
            onChange={(across) => onChange({ ...crop, across })}
          />
        )}
        {side < picture.height && (
          <Slider
            label={t(`${kind}.down`)}
            value={crop.down}
            onChange={(down) => onChange({ ...crop, down })}
          />
        )}
      </div>
    </fieldset>
  );
}

/** The square, which can be dragged; what the frame of the product will cover is dimmed. */
function Stage({ kind, picture, crop, onChange }: PictureCropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const grip = useRef<{ x: number; y: number }>(undefined);

  // Outside React: the canvas.
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop);
  }, [picture, crop]);

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
    <div className="relative mx-auto w-60 max-w-full overflow-hidden rounded-md">
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
        className={`pointer-events-none absolute inset-0 shadow-[0_0_0_6rem_rgb(0_0_0/0.55)] ${kind === "logo" ? "rounded-[22%]" : "rounded-full"}`}
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
        min={min * 100}
        max={max * 100}
        value={Math.round(value * 100)}
        className="slider min-h-11 w-full"
        style={{ "--along": (value - min) / (max - min) }}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber / 100)}
      />
    </label>
  );
}
