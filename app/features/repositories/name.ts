/** What makes two repository names the same: trimmed, NFKC-normalised and case-folded. */
export function repositoryNameKey(name: string): string {
  // Upper case first: "ß" and "SS", "ς" and "σ" fold together, as full case folding wants.
  return name.normalize("NFKC").trim().toUpperCase().toLowerCase().normalize("NFKC");
}
