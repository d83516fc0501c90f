/** The lines of each picture over its ground, in a field of 72 by 48. */
const PICTURES = {
  organization: [
    "M14 42V16l14-6v32M28 42V20l16 5v17M10 42h38",
    "M19 20v0M19 27v0M19 34v0M36 31v0M36 37v0",
  ],
  colleague: [
    "M22 22a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM10 42c0-8 5-14 12-14s12 6 12 14",
    "M48 24v14M41 31h14",
  ],
  key: ["M24 32a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM33 23h24v8M48 23v7", "M24 23v0"],
  repositories: ["M10 38V12h14l4 5h24v21z", "M22 28l-4 3 4 3M38 28l4 3-4 3M32 26l-4 10"],
  photo: ["M12 12h38v28H12z", "M12 36l12-12 9 9 6-5 11 9M40 20v0"],
  passkey: ["M20 40V26a11 11 0 0 1 22 0v14", "M26 40V27a5 5 0 0 1 10 0v13M31 27v13"],
} as const;

export type StepPictureName = keyof typeof PICTURES;

/** A small drawing of a step, in the accent of the brand. */
export function StepPicture({ name }: { name: StepPictureName }) {
  const [shape, details] = PICTURES[name];
  return (
    <svg viewBox="0 0 72 48" className="h-12 w-18 rtl:-scale-x-100" aria-hidden="true">
      <circle cx="48" cy="22" r="20" fill="var(--color-accent-fill)" />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round" strokeWidth="2.5">
        <path d={shape} stroke="var(--color-accent)" />
        <path d={details} stroke="var(--color-accent-line)" strokeWidth="3" />
      </g>
    </svg>
  );
}
