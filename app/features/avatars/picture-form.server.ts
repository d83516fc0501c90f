import { z } from "zod";
import { invalid, readUpload } from "../../http/forms.server.ts";
import { PICTURE_MAX_BYTES, SOURCE_MAX_BYTES } from "./picture-size.ts";
import type { StoreError } from "./picture-store.server.ts";
import { type PictureTexts, pictureMessage } from "./picture-texts.ts";

/** A browser sends an empty file when none was chosen. */
const Upload = z.object({ picture: z.file().min(1).max(PICTURE_MAX_BYTES) });

/** The bytes of a posted picture; null to remove the current one. */
type PictureForm =
  | { ok: true; picture: Uint8Array | null }
  | { ok: false; reason: "tooLarge" | "missing" };

/** Reads the form of a picture screen. Errors: `tooLarge`, and `missing` without a file. */
export async function readPictureForm(request: Request): Promise<PictureForm> {
  const form = await readUpload(request, {
    maxFileBytes: PICTURE_MAX_BYTES,
    discardBytes: SOURCE_MAX_BYTES,
  });
  if (form === "too_large") return { ok: false, reason: "tooLarge" };
  if (form.get("intent") === "remove") return { ok: true, picture: null };
  const upload = Upload.safeParse({ picture: form.get("picture") });
  if (!upload.success) {
    const isTooLarge = upload.error.issues.some(({ code }) => code === "too_big");
    return { ok: false, reason: isTooLarge ? "tooLarge" : "missing" };
  }
  return { ok: true, picture: new Uint8Array(await upload.data.picture.arrayBuffer()) };
}

export function refusePicture(
  kind: PictureTexts,
  reason: "unavailable" | "tooLarge" | "missing" | StoreError,
) {
  const errors = { picture: [pictureMessage(kind, reason)] };
  return invalid({ values: {}, errors }, errors, { status: reason === "tooLarge" ? 413 : 400 });
}
