import type { Register } from "react-router";
import type { AnyPlace } from "./feature.ui.ts";
import type { OrganizationPermission } from "./features/access/organization-permissions.ts";
import type { Permission } from "./features/access/permissions.ts";
import type { AuditAction } from "./features/audit/actions.ts";
import type { FactsOf, KeysOf } from "./features.ts";
import type { ErrorCode, MessageKey } from "./i18n/message-key.ts";

// Facts name permissions, texts and paths as strings: in their own types those would be made of what is being checked.
// Each line below fails the type check when a feature names one that is not there.

type RowsOf<Facts> = Facts extends unknown ? Facts[keyof Facts] : never;
/** What the rows that have a member say in it; each row by itself, so that none without it hides the others. */
type Named<Row, Member extends string> = Row extends { readonly [Key in Member]: infer Value }
  ? Value
  : never;

type Links = FactsOf<"navigation">[number];
type Figures = RowsOf<FactsOf<"figures">>;
type ToDos = RowsOf<FactsOf<"toDo">>;
type Steps = RowsOf<FactsOf<"setUp">>;
type Parts = FactsOf<"parts">[number];
type Forms = Named<Parts, "form">;
type Things = RowsOf<FactsOf<"things">>;
type Places = Links | RowsOf<FactsOf<"attention">> | Things | Figures | ToDos | Steps;
type Labelled = Links | Things | Figures | ToDos | Steps | Parts | Forms;
type Paths = keyof Register["pages"];

export const PERMISSIONS = (one: Named<Places, "needs">): Permission | OrganizationPermission =>
  one;
export const FORMS = (one: Named<Forms, "needs">): OrganizationPermission => one;
export const PATHS = (one: Named<Places | Parts, "to">): Paths => one;
export const PATHS_IN_APP = (one: Named<Things, "toInApp">): Paths => one;
export const TEXTS = (
  one:
    | Named<Labelled, "label">
    | Named<Links, "short">
    | Named<Links, "search">
    | Named<Links, "words">
    | Named<Steps, "hint">,
): MessageKey => one;

export const ADDED = (one: Named<Figures, "added">): AuditAction => one;

export const PLACES = (one: RowsOf<FactsOf<"panels">>["in"]): AnyPlace => one;

export const PANELS = (
  one: Named<RowsOf<FactsOf<"panels">>, "needs">,
): Permission | OrganizationPermission => one;

export const RAISED = (one: FactsOf<"raised">[number]): ErrorCode => one;

type News = RowsOf<FactsOf<"news">>;
type NewsTexts = Named<News, "kinds">[number] | `open.${KeysOf<"news">}`;

export const NEWS_PERMISSIONS = (one: Named<News, "needs">): OrganizationPermission => one;
export const NEWS_TEXTS = (one: `mail:programsChanged.${NewsTexts}`): MessageKey => one;
