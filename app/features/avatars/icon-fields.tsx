import { useEffect, useRef } from "react";
import type { PictureSource } from "../../values/picture-source.ts";
import { setFiles } from "./field-files.ts";
import { type IconShape, makeIcons } from "./icon-file.ts";

type IconFieldsProps = {
  icons: Readonly<Record<string, IconShape>>;
  /**
   * A picture of the site, a file that is not sent yet, or a drawing. Undefined keeps the icons.
   */
  source: PictureSource | undefined;
  /** Colour below an icon that may not be transparent. */
  ground: string;
  onMade: (icons: readonly File[] | undefined) => void;
};

/**
 * Hidden fields of a form with icons that the browser makes of a picture. Without JavaScript they
 * stay empty.
 */
export function IconFields({ icons, source, ground, onMade }: IconFieldsProps) {
  const group = useRef<HTMLSpanElement>(null);
  // Outside React: the files of the fields.
  useEffect(() => {
    const fields = [...(group.current?.querySelectorAll("input") ?? [])];
    for (const field of fields) setFiles(field, []);
    if (!source) return onMade(undefined);
    let isLeft = false;
    void makeIcons(icons, source, ground).then((files) => {
      if (isLeft) return;
      onMade(files);
      for (const field of fields)
        setFiles(field, files?.filter(({ name }) => name === field.name) ?? []);
    });
    return () => {
      isLeft = true;
    };
  }, [icons, source, ground, onMade]);
  return (
    <span ref={group} hidden>
      {Object.keys(icons).map((name) => (
        <input key={name} type="file" name={name} tabIndex={-1} aria-hidden="true" />
      ))}
    </span>
  );
}
