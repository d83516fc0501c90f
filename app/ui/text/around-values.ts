/**
 * Returns the parts of a text around its values, for values that are drawn as elements. One value has a part before and
 * one after it: `aroundValues((name) => t("audit.as", { name }))`. Two values have one between them as well.
 */
export function aroundValues(text: (value: string) => string): string[] {
  return text("\0").split("\0");
}
