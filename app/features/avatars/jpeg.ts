import { joined, textAt, viewOf } from "./bytes.ts";
import {
  type CleanPicture,
  isTooBroad,
  PICTURE_MAX_SIDE_PX,
  type PictureFault,
} from "./picture-size.ts";

// Second bytes of markers. Source: ITU-T T.81, table B.1.
const DHT = 0xc4;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;
const COM = 0xfe;
/** Baseline, extended and progressive frames with Huffman codes: those that browsers decode. */
const FRAMES = [0xc0, 0xc1, 0xc2];

const START = new Uint8Array([0xff, 0xd8]);
const END = new Uint8Array([0xff, EOI]);

/** A progressive picture has about ten. A decoder goes through the whole picture for each, so many are an attack. */
const MAX_SCANS = 100;

const EXIF = "Exif\0\0";
const ORIENTATION_TAG = 0x0112;
const ADOBE_LENGTH = 12;

type Segment = { marker: number; data: Uint8Array; whole: Uint8Array };

/**
 * Returns a JPEG with only its frame, tables and scans. EXIF, XMP, comments, thumbnails, colour
 * profiles and what follows the end are left out. The orientation stays, as the only tag of a new
 * EXIF segment. Adobe's segment stays too, because the colours of CMYK depend on it. Source: ITU-T
 * T.81, annex B.
 */
export function cleanJpeg(
  bytes: Uint8Array,
  maxSide: number = PICTURE_MAX_SIDE_PX,
): CleanPicture | PictureFault {
  const segments = readSegments(bytes) ?? [];
  const frames = segments.filter(({ marker }) => FRAMES.includes(marker));
  const [frame] = frames;
  const size = frame && readSize(frame.data);
  if (!size || frames.length > 1) return "notTaken";
  if (isTooBroad(size, maxSide)) return "tooManyPixels";
  const isKnown = ({ marker }: Segment) =>
    [...FRAMES, DHT, SOS, DQT, DRI, COM].includes(marker) || (marker & 0xf0) === APP0;
  const scans = segments.filter(({ marker }) => marker === SOS);
  const [scan] = scans;
  const isFrameFirst = scan !== undefined && segments.indexOf(scan) > segments.indexOf(frame);
  if (!segments.every(isKnown) || !isFrameFirst || scans.length > MAX_SCANS) return "notTaken";

  const orientation = segments.map(orientationOf).find(Boolean);
  const isLying = orientation !== undefined && orientation >= 5;
  return {
    type: "image/jpeg",
    width: isLying ? size.height : size.width,
    height: isLying ? size.width : size.height,
    hasAlpha: false,
    bytes: joined([
      START,
      ...(orientation ? [orientationSegment(orientation)] : []),
      ...segments.flatMap(keptPartOf),
      END,
    ]),
  };
}

/** Returns the segments between the markers of start and end; undefined when the file ends before its end marker. */
function readSegments(bytes: Uint8Array): Segment[] | undefined {
  const view = viewOf(bytes);
  const segments: Segment[] = [];
  let at = START.length;
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === EOI) return segments;
    // A marker may have any number of these bytes before it.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Markers of restarts stand in scans only. Without this a second start would be read as a segment.
    const hasLength = marker > 0xbf && !(marker >= 0xd0 && marker <= 0xd8);
    if (!hasLength || at + 4 > bytes.length) return undefined;
    const headerEnd = at + 2 + view.getUint16(at + 2);
    if (headerEnd < at + 4 || headerEnd > bytes.length) return undefined;
    const end = marker === SOS ? scanEnd(bytes, headerEnd) : headerEnd;
    segments.push({
      marker,
      data: bytes.subarray(at + 4, headerEnd),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return undefined;
}

/** Returns where the data of a scan ends: at the first marker that is neither a restart nor an escaped byte. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && next !== 0xff && !isRestart) return at;
  }
  return bytes.length;
}

/**
 * Returns the size that a frame with eight bits for a colour says. Three colours, or one for grey, or four for CMYK.
 */
function readSize(data: Uint8Array): { width: number; height: number } | undefined {
  if (data.length < 6) return undefined;
  const view = viewOf(data);
  const colours = view.getUint8(5);
  const isKnown =
    view.getUint8(0) === 8 && [1, 3, 4].includes(colours) && data.length === 6 + 3 * colours;
  const height = view.getUint16(1);
  const width = view.getUint16(3);
  return isKnown && width > 0 && height > 0 ? { width, height } : undefined;
}

/** Returns what of a segment is kept. */
function keptPartOf({ marker, data, whole }: Segment): Uint8Array[] {
  const isAdobe = marker === APP14 && textAt(data, 0, 5) === "Adobe";
  if (isAdobe && data.length >= ADOBE_LENGTH) {
    return [new Uint8Array([0xff, APP14, 0, ADOBE_LENGTH + 2]), data.subarray(0, ADOBE_LENGTH)];
  }
  return marker === COM || (marker & 0xf0) === APP0 ? [] : [whole];
}

/**
 * Returns the orientation, from 2 to 8, that an EXIF segment says; undefined for none, for upright and for nonsense.
 */
function orientationOf({ marker, data }: Segment): number | undefined {
  if (marker !== APP1 || textAt(data, 0, 6) !== EXIF) return undefined;
  const tiff = data.subarray(EXIF.length);
  const isLittle = textAt(tiff, 0, 2) === "II";
  const view = viewOf(tiff);
  const directory = tiff.length >= 8 ? view.getUint32(4, isLittle) : tiff.length;
  if (directory + 2 > tiff.length) return undefined;
  const count = view.getUint16(directory, isLittle);
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return undefined;
    if (view.getUint16(at, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(at + 8, isLittle);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** Returns an EXIF segment with one directory of one tag. Source: Exif 2.32, section 4.6. */
function orientationSegment(orientation: number): Uint8Array {
  const tag = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, ...tag, 0, 0, 0, 0];
  const length = 2 + EXIF.length + tiff.length;
  return new Uint8Array([0xff, APP1, 0, length, ...new TextEncoder().encode(EXIF), ...tiff]);
}
