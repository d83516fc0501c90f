/** Reads a reference to a translation, `namespace:key?name=value`. */
export function readReference(reference: string) {
  const [path = "", search = ""] = reference.split("?", 2);
  const colon = path.indexOf(":");
  const values: Record<string, string | number> = Object.fromEntries(new URLSearchParams(search));
  // i18next chooses plural forms by a number, not by a string.
  if (values.count !== undefined) values.count = Number(values.count);
  return { namespace: path.slice(0, colon), key: path.slice(colon + 1), values };
}

/** Returns the text of a reference. The type names that a message holds are references themselves. */
export function textOf(
  reference: string,
  translate: (key: string, values: object) => string,
): string {
  const { namespace, key, values } = readReference(reference);
  const types = ["expected", "received"]
    .filter((name) => key === "generic.invalidType" && name in values)
    .map((name) => [name, translate(`validation:types.${values[name]}`, {})]);
  return translate(`${namespace}:${key}`, { ...values, ...Object.fromEntries(types) });
}
