/** Bytes of one number of a signature, by the curve's number in COSE (RFC 9053, section 7.1). */
const COMPONENT_BYTES: Record<number, number | undefined> = { 1: 32, 2: 48, 3: 66 };

const INTEGER = 0x02;
const SEQUENCE = 0x30;

/**
 * An ECDSA signature as Web Crypto wants it, r and s one after the other, from the DER in which authenticators send it
 * (RFC 3279, section 2.2.3; WebAuthn, section 6.5.5). Throws when it is anything else. Stands in for the function of the same
 * name in @simplewebauthn/server, which brings 40 kB of ASN.1 along for these two numbers.
 */
export function unwrapEC2Signature(signature: Uint8Array, curve: number): Uint8Array {
  const size = COMPONENT_BYTES[curve];
  if (!size) throw new Error(`There is no curve ${curve}`);
  const { content, rest } = readElement(signature, SEQUENCE);
  const r = readElement(content, INTEGER);
  const s = readElement(r.rest, INTEGER);
  if (rest.length > 0 || s.rest.length > 0) throw new Error("The signature is longer than it says");
  const unwrapped = new Uint8Array(2 * size);
  unwrapped.set(readUnsigned(r.content, size), 0);
  unwrapped.set(readUnsigned(s.content, size), size);
  return unwrapped;
}

/** One element of DER: tag, length, content. Lengths are below 256 here: the longest signature has 139 bytes. */
function readElement(bytes: Uint8Array, tag: number): { content: Uint8Array; rest: Uint8Array } {
  const [found, short = 0, long = 0] = bytes;
  const isLong = short === 0x81;
  const length = isLong ? long : short;
  const start = isLong ? 3 : 2;
  const isMinimal = isLong ? long > 127 : short < 128;
  if (found !== tag || !isMinimal || bytes.length < start + length) {
    throw new Error("The signature is not in DER");
  }
  return { content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}

/** A positive number, filled up to `size` bytes: DER drops leading zeros, and sets one before a high bit. */
function readUnsigned(bytes: Uint8Array, size: number): Uint8Array {
  const [first, second] = bytes;
  const hasSign = first === 0 && second !== undefined && second > 127;
  const digits = hasSign ? bytes.subarray(1) : bytes;
  if (
    first === undefined ||
    (first > 127 && !hasSign) ||
    (first === 0 && bytes.length > 1 && !hasSign)
  ) {
    throw new Error("The signature is not in DER");
  }
  if (digits.length > size) throw new Error("The signature is too long for its curve");
  const filled = new Uint8Array(size);
  filled.set(digits, size - digits.length);
  return filled;
}
