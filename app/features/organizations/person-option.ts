import { isolate, isolateLtr } from "../../ui/text/isolate.ts";

type Person = { name: string; email: string };

/**
 * Returns how a person is named in a select: by name, with the e-mail only where others have the same name, and by the
 * e-mail without a name. A phone's select has no room for both.
 */
export function personOption({ name, email }: Person, people: readonly Person[]): string {
  if (!name) return email;
  const isShared = people.filter((other) => other.name === name).length > 1;
  return isShared ? `${isolate(name)} (${isolateLtr(email)})` : name;
}
