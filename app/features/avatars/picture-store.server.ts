import { inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import type { Read } from "../../db/read.server.ts";
import { brand, organization, user } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { factsOfPicture, newPictureName } from "../../ui/text/picture-name.ts";
import { cleanPicture } from "./clean-picture.ts";
import { type CleanPicture, isPictureName } from "./picture-size.ts";

/** A picture is stored before its row names it, so a new picture may have no row yet. */
const SWEEP_AGE_MS = 3_600_000;
const SWEEP_PAGE = 250;

/** Metadata of pictures that the sweep may delete. Earlier releases stored logos as `brand`. */
const OWNERS = ["user", "organization", "brand", "look", "thing"] as const;

/**
 * What a picture belongs to: a user or an organization by id, the brand, or a thing of a feature by
 * its kind and id, as in `app:1`. It is the metadata of the stored object. `look` is the brand too. It has another name because the previous release
 * deletes pictures of `brand` but for its two logos.
 */
type PictureOwner =
  | { user: string }
  | { organization: string }
  | { thing: `${string}:${string}` }
  | { look: "yes" };

/** Reads which pictures the things of a feature with these ids have, by the things' kind. */
export type ThingPictures = Readonly<
  Record<string, (ids: readonly string[]) => Read<readonly (string | null)[]>>
>;

export type StoreError = Extract<ReturnType<typeof cleanPicture>, { ok: false }>["error"];

/** The picture of a user, of an organization, of the brand, or of a thing of a feature. */
export type PictureKind = "avatar" | "logo" | "brand" | "thing";

const FOLDERS = { avatar: "", logo: "logos/", brand: "brand/", thing: "things/" } as const;

/**
 * Returns the key of a picture in the bucket. Only an avatar's has no slash, so that no URL of an avatar leads to
 * another.
 */
function keyOf(kind: PictureKind, name: string): string {
  return FOLDERS[kind] + name;
}

/** Stores a picture and returns its new name; see `putPicture`. Errors: as `cleanPicture`. */
export async function storePicture(
  bucket: R2Bucket,
  owner: PictureOwner,
  bytes: Uint8Array,
): Promise<{ ok: true; name: string } | { ok: false; error: StoreError }> {
  const cleaned = cleanPicture(bytes);
  if (!cleaned.ok) return cleaned;
  return { ok: true, name: await putPicture(bucket, owner, cleaned.picture) };
}

/**
 * Stores a cleaned picture and returns its new name. Call it before the row names the picture. So a
 * failure in between leaves a picture without a row, which the sweep deletes, and never a row
 * without a picture.
 */
export async function putPicture(
  bucket: R2Bucket,
  owner: PictureOwner,
  { bytes, ...facts }: CleanPicture,
): Promise<string> {
  const name = newPictureName(facts);
  await bucket.put(keyOf(kindOf(owner), name), bytes, {
    customMetadata: owner,
    httpMetadata: { contentType: facts.type },
  });
  return name;
}

function kindOf(owner: PictureOwner): PictureKind {
  if ("user" in owner) return "avatar";
  if ("organization" in owner) return "logo";
  return "thing" in owner ? "thing" : "brand";
}

/** Deletes a picture that no row names any more. If that fails, the sweep deletes it later. */
export async function deletePicture(
  bucket: R2Bucket | undefined,
  kind: PictureKind,
  name: string | null,
): Promise<void> {
  if (!bucket || !name) return;
  try {
    await bucket.delete(keyOf(kind, name));
  } catch (error) {
    log("warn", `${kind}.not_deleted`, describeError(error));
  }
}

/**
 * Answers a request for a picture: in full, as "not modified", or with 404. The content under a name never changes, so
 * the name is the ETag.
 */
export async function answerPicture(
  bucket: R2Bucket | undefined,
  kind: PictureKind,
  name: string,
  request: Request,
): Promise<Response> {
  const etag = `"${name}"`;
  const isKnown = request.headers.get("if-none-match")?.includes(etag) ?? false;
  const object = bucket && isPictureName(name) ? await bucket.get(keyOf(kind, name)) : null;
  if (!object) return new Response("Not found\n", { status: 404 });
  return new Response(isKnown ? null : object.body, {
    status: isKnown ? 304 : 200,
    headers: {
      "Cache-Control": `${kind === "brand" ? "public" : "private"}, max-age=31536000, immutable`,
      "Content-Length": String(object.size),
      "Content-Type": factsOfPicture(name).type,
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      // A mail shows the brand's logo, and belongs to another site.
      ...(kind === "brand" && { "Cross-Origin-Resource-Policy": "cross-origin" }),
      ETag: etag,
    },
  });
}

/**
 * Deletes all pictures that no row names, and returns their number. Each object's metadata names its owner, so that the
 * rows are found by their key. An object without this metadata is not ours and stays.
 */
export async function sweepPictures(
  db: Db,
  bucket: R2Bucket,
  things: ThingPictures,
  now: Date,
): Promise<number> {
  let deleted = 0;
  let cursor: string | undefined;
  do {
    const page = await bucket.list({
      cursor,
      limit: SWEEP_PAGE,
      include: ["customMetadata"],
    });
    const settled = page.objects.filter(
      ({ uploaded, customMetadata }) =>
        OWNERS.some((owner) => customMetadata?.[owner]) &&
        uploaded.getTime() < now.getTime() - SWEEP_AGE_MS,
    );
    const named = await findNamed(db, settled, things);
    const unnamed = settled.filter(({ key }) => !named.has(key)).map(({ key }) => key);
    if (unnamed.length > 0) await bucket.delete(unnamed);
    deleted += unnamed.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return deleted;
}

/** Returns the keys that the rows of these objects' owners name. */
async function findNamed(db: Db, objects: R2Object[], things: ThingPictures): Promise<Set<string>> {
  if (objects.length === 0) return new Set();
  const idsOf = (owner: "user" | "organization") =>
    objects.flatMap(({ customMetadata }) => customMetadata?.[owner] ?? []);
  const ofThings = Object.entries(things).map(([kind, read]) =>
    read(
      objects.flatMap(({ customMetadata }) => {
        const [of, id] = customMetadata?.thing?.split(":") ?? [];
        return of === kind && id ? [id] : [];
      }),
    ),
  );
  const [avatars, logos, brands, ...found] = await db.batch([
    db
      .select({ name: user.avatar })
      .from(user)
      .where(isOneOf(user.id, idsOf("user"))),
    db
      .select({ name: organization.logo })
      .from(organization)
      .where(isOneOf(organization.id, idsOf("organization"))),
    db
      .select({
        light: brand.logoLight,
        dark: brand.logoDark,
        login: brand.loginPicture,
        icons: brand.icons,
      })
      .from(brand),
    ...ofThings.map(({ select }) => select(db)),
  ]);
  const keysOf = (kind: PictureKind, rows: { name: string | null }[]) =>
    rows.flatMap(({ name }) => (name ? [keyOf(kind, name)] : []));
  const ofBrand = brands.flatMap(({ light, dark, login, icons }) =>
    [light, dark, login, ...Object.values(icons ?? {})].map((name) => ({ name })),
  );
  return new Set([
    ...keysOf("avatar", avatars),
    ...keysOf("logo", logos),
    ...keysOf("brand", ofBrand),
    ...keysOf(
      "thing",
      ofThings.flatMap(({ means }, at) => means(found[at]).map((name) => ({ name }))),
    ),
  ]);
}

/** SQL condition. The list is one bound parameter, because a statement allows at most a hundred. */
function isOneOf(column: SQLWrapper, ids: string[]) {
  return inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}
