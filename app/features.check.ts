import type { Register } from "react-router";
import type { OrganizationPermission } from "./features/access/organization-permissions.ts";
import type { Permission } from "./features/access/permissions.ts";
import type { FactsOf } from "./features.ts";
import type { MessageKey } from "./i18n/message-key.ts";

// Facts name permissions, texts and paths as strings: in their own types those would be made of what is being checked.
// Each line below fails the type check when a feature names one that is not there.

type Links = FactsOf<"navigation">[number];
type RowsOf<Facts> = Facts extends unknown ? Facts[keyof Facts] : never;
type Figures = RowsOf<FactsOf<"figures">>;
type Parts = FactsOf<"parts">[number];
type Forms = Parts extends { readonly form: infer Form } ? Form : never;
type Things = RowsOf<FactsOf<"things">>;
type Places = Links | RowsOf<FactsOf<"attention">> | Things | Figures;
type Named<Member extends "label" | "short"> = Links | Things | Figures extends infer One
  ? One extends { readonly [Key in Member]: infer Value }
    ? Value
    : never
  : never;
type Paths = keyof Register["pages"];

export const PERMISSIONS = (one: Places["needs"]): Permission | OrganizationPermission => one;
export const PATHS = (one: Places["to"]): Paths => one;
type FormPermission = Forms extends { readonly needs: infer Needs } ? Needs : never;
type FormLabel = Forms extends { readonly label: infer Label } ? Label : never;
type InApp = Things extends { readonly toInApp: infer Path } ? Path : never;

export const FORMS = (one: FormPermission): OrganizationPermission => one;
export const PARTS = (one: Parts["to"]): Paths => one;
export const PART_TEXTS = (one: Parts["label"] | FormLabel): MessageKey => one;
export const PATHS_IN_APP = (one: InApp): Paths => one;
export const TEXTS = (one: Named<"label"> | Named<"short">): MessageKey => one;
