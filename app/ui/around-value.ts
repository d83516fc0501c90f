/**
 * Returns the parts of a text before and after its value, for a value that is drawn as an element:
 * `aroundValue((name) => t("audit.as", { name }))`.
 */
export function aroundValue(text: (value: string) => string): [before: string, after: string] {
  const [before = "", after = ""] = text("\0").split("\0");
  return [before, after];
}
