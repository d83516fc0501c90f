import type { CustomTypeOptions } from "i18next";

type Resources = CustomTypeOptions["resources"];

type PluralForm = "zero" | "one" | "two" | "few" | "many" | "other";

/** Key without its plural form: `deleted_one` and `deleted_other` are `deleted`. */
type Singular<Key extends string> = Key extends `${infer Base}_${PluralForm}` ? Base : Key;

/** Paths to the texts of a namespace, such as `toast.banned`. */
type PathsOf<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? Singular<Key>
    : `${Key}.${PathsOf<Texts[Key]>}`;
}[keyof Texts & string];

/** Key of a text with its namespace, such as `users:toast.banned`. The English files declare them. */
export type MessageKey = {
  [Namespace in keyof Resources & string]: `${Namespace}:${PathsOf<Resources[Namespace]>}`;
}[keyof Resources & string];

/** Error codes with a text: in `codes`, or in `login:resendIn`. */
export type ErrorCode = keyof Resources["codes"] | "RESEND_TOO_SOON";
