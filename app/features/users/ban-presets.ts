/** How long a ban may last, in days; `forever` has no end. */
export const BAN_PRESETS = ["1", "7", "30", "365", "forever"] as const;
