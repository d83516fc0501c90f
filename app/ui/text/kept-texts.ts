export type LookUp = (key: string, values?: object) => string;

/**
 * Looks up each text without values once: i18next copies all of its options each time, and a page has hundreds of texts.
 * A key that names another namespace is not kept, because that one may load later.
 */
export function keepTexts(lookUp: LookUp): LookUp {
  const kept = new Map<string, string>();
  return (key, values) => {
    if (values || key.includes(":")) return lookUp(key, values);
    const text = kept.get(key) ?? lookUp(key);
    kept.set(key, text);
    return text;
  };
}
