import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { Toast } from "../../../ui/feedback/toast-kinds.ts";
import type { CheckedMessage } from "../../../ui/text/message.tsx";
import type { Act } from "../../access/act.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { OFFICE_ACTS } from "../acts.ts";
import {
  addMember,
  changeMemberRole,
  RESTORE_REFUSALS,
  removeMember,
  restoreForm,
  restoreMember,
  transferOwnership,
} from "../members/member-commands.server.ts";
import type { RoleMailServices } from "../members/role-mail.server.ts";
import { updateOrganization } from "../settings/organization-commands.server.ts";
import {
  type DeletionServices,
  restoreOrganization,
  startOrganizationDeletion,
} from "../settings/organization-deletion.server.ts";
import { disableOrganization, enableOrganization } from "../settings/organization-state.server.ts";
import type { OrganizationCall, Refusal } from "../standing.server.ts";
import * as inputs from "./input.ts";

/** What the changes need beside the call. */
export type OfficeServices = DeletionServices & RoleMailServices & { db: Db };

/** Messages that replace `codes:<code>`. */
export type RefusalMessages = Partial<Record<ErrorCode, CheckedMessage>>;

type Change<Input> = {
  run: (
    call: OrganizationCall,
    input: Input,
    services: OfficeServices,
  ) => Promise<{ ok: true } | Refusal>;
  done: CheckedMessage;
  /** Form that undoes it, which its message offers. */
  undo?: (screen: string, input: Input) => Toast["undo"];
  refusals?: RefusalMessages;
  /** Fields that a refusal is about. Other refusals are toasts. */
  fields?: Partial<Record<ErrorCode, keyof Input & string>>;
};

/** A change that a form asks for, with what was sent. */
export type OfficeChange = {
  act: Act;
  run: (call: OrganizationCall, services: OfficeServices) => Promise<{ ok: true } | Refusal>;
  done: CheckedMessage;
  undo: (screen: string) => Toast["undo"];
  refusals: RefusalMessages;
  fields: Partial<Record<ErrorCode, string>>;
};

/** A form of an organization's screen, which is read as the change that it asks for. */
type OfficeForm = z.ZodType<OfficeChange> & z.core.$ZodTypeDiscriminable;

/** The forms that features add to the screen, by their intents. */
export type OfficeForms = Readonly<Record<string, OfficeForm>>;

/**
 * Makes a form of the screen from what it sends, the act that it names, and what is done.
 * @public For features, of which there may be none.
 */
export function officeForm<Input extends z.ZodObject<{ intent: z.ZodLiteral<string> }>>(
  act: Act,
  input: Input,
  { run, done, undo, refusals = {}, fields = {} }: Change<z.output<Input>>,
) {
  return input.transform(
    (sent): OfficeChange => ({
      act,
      run: (call, services) => run(call, sent, services),
      done,
      undo: (screen) => undo?.(screen, sent),
      refusals,
      fields,
    }),
  );
}

/** The forms of the core, each with its act. */
const OFFICE_FORMS = {
  rename: officeForm(OFFICE_ACTS.rename, inputs.Rename, {
    run: updateOrganization,
    done: "manager-organizations:toast.renamed",
    fields: { ORGANIZATION_SLUG_ALREADY_TAKEN: "slug", TOO_MANY_REQUESTS: "slug" },
  }),
  "add-member": officeForm(OFFICE_ACTS["add-member"], inputs.AddMember, {
    run: addMember,
    done: "manager-organizations:toast.memberAdded",
    refusals: {
      USER_NOT_FOUND: "manager-organizations:refusal.noUser",
      YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
        "manager-organizations:refusal.tooManyOrganizations",
    },
    fields: {
      USER_NOT_FOUND: "email",
      USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "email",
      YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: "email",
    },
  }),
  "set-role": officeForm(OFFICE_ACTS["set-role"], inputs.SetMemberRole, {
    run: (call, { member, newRole }, services) =>
      changeMemberRole(call, services, { memberId: member }, newRole),
    done: "manager-organizations:toast.roleChanged",
    refusals: {
      YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: "manager-organizations:refusal.onlyOwner",
    },
    fields: { YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER: "newRole" },
  }),
  "remove-member": officeForm(OFFICE_ACTS["remove-member"], inputs.ofMember("remove-member"), {
    run: (call, { member }) => removeMember(call, { memberId: member }),
    done: "manager-organizations:toast.memberRemoved",
    undo: (screen, { member }) => restoreForm(screen, member),
    refusals: {
      YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
        "manager-organizations:refusal.onlyOwner",
    },
    fields: { YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: "member" },
  }),
  "restore-member": officeForm(OFFICE_ACTS["restore-member"], inputs.ofMember("restore-member"), {
    run: (call, { member }) => restoreMember(call, member),
    done: "organizations:toast.memberRestored",
    refusals: RESTORE_REFUSALS,
  }),
  transfer: officeForm(OFFICE_ACTS.transfer, inputs.ofMember("transfer"), {
    run: (call, { member }, services) => transferOwnership(call, services, { memberId: member }),
    done: "manager-organizations:toast.transferred",
  }),
  disable: officeForm(OFFICE_ACTS.disable, inputs.Disable, {
    run: (call, { reason }) => disableOrganization(call, reason),
    done: "manager-organizations:toast.disabled",
  }),
  enable: officeForm(OFFICE_ACTS.enable, inputs.bare("enable"), {
    run: enableOrganization,
    done: "manager-organizations:toast.enabled",
  }),
  delete: officeForm(OFFICE_ACTS.delete, inputs.Delete, {
    run: (call, { typedName }, services) => startOrganizationDeletion(call, services, typedName),
    done: "manager-organizations:toast.deletionStarted",
    fields: { WRONG_ORGANIZATION_NAME: "typedName" },
  }),
  restore: officeForm(OFFICE_ACTS.restore, inputs.bare("restore"), {
    run: restoreOrganization,
    done: "manager-organizations:toast.restored",
  }),
} satisfies Record<keyof typeof OFFICE_ACTS, OfficeForm>;

/** Returns what the forms of the screen send, with those of features. */
export function organizationForms(ofFeatures: OfficeForms) {
  const { rename, ...others } = OFFICE_FORMS;
  return z.discriminatedUnion("intent", [
    rename,
    ...Object.values(others),
    ...Object.values(ofFeatures),
  ]);
}

export type Outcome =
  | { ok: true; message: CheckedMessage }
  /** `field` is the field that the refusal is about. */
  | { ok: false; code: ErrorCode; message: CheckedMessage; field?: string };

export function messageOf(code: ErrorCode, messages: RefusalMessages = {}): CheckedMessage {
  return messages[code] ?? (`codes:${code}` as CheckedMessage);
}

/** Runs a change of an organization's screen and returns the message to show. */
export async function changeOrganization(
  services: OfficeServices,
  actor: Actor,
  id: string,
  { run, done, refusals, fields }: OfficeChange,
): Promise<Outcome> {
  const call = { db: services.db, actor, key: { id }, as: "manager" } as const;
  const result = await run(call, services);
  if (result.ok) return { ok: true, message: done };
  const { code } = result;
  return { ok: false, code, message: messageOf(code, refusals), field: fields[code] };
}
