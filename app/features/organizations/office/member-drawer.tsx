import { Form, useNavigation } from "react-router";
import { Button } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { type RefusedForm, refusedFor } from "../../../ui/forms/refused-form.ts";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { useUnsaved } from "../../../ui/forms/use-unsaved.ts";
import { useIsHydrated } from "../../../ui/layout/use-is-hydrated.ts";
import { ConfirmDrawer } from "../../../ui/overlays/confirm-drawer.tsx";
import { Drawer } from "../../../ui/overlays/drawer.tsx";
import { Fact } from "../../../ui/text/fact.tsx";
import { isolate } from "../../../ui/text/isolate.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import type { OrganizationMember } from "./organization-panels.tsx";
import { RoleSelect } from "./role-select.tsx";

type MemberDrawerProps = {
  member: OrganizationMember;
  isOnlyOwner: boolean;
  /** URL of the page without the drawer. */
  closeTo: string;
  result: RefusedForm;
};

/**
 * Changes a member's role, makes the member the only owner, or removes the member. None of it is
 * offered for the only owner.
 */
export function MemberDrawer({ member, isOnlyOwner, closeTo, result }: MemberDrawerProps) {
  const { name, email } = member;
  return (
    <Drawer title={name || email} intro={name ? email : undefined} closeTo={closeTo}>
      {isOnlyOwner ? (
        <OnlyOwner member={member} result={result} />
      ) : (
        <>
          <RoleForm member={member} refused={refusedFor(result, "set-role")} />
          <MemberQuestions member={member} refusedRemoval={refusedFor(result, "remove-member")} />
        </>
      )}
    </Drawer>
  );
}

/**
 * Says why the only owner cannot be changed or removed. It is an error when someone tried: the
 * other owners left meanwhile.
 */
function OnlyOwner({ member: { role }, result }: Pick<MemberDrawerProps, "member" | "result">) {
  const { t } = useTranslation("manager-organizations");
  const errors =
    refusedFor(result, "set-role")?.errors.newRole ??
    refusedFor(result, "remove-member")?.errors.member;
  return (
    <>
      <dl className="text-sm">
        <Fact term={t("role")}>{t(`roles.${role}`)}</Fact>
      </dl>
      {errors ? (
        <FormErrors errors={errors} />
      ) : (
        <p className="text-sm text-muted">{t("refusal.onlyOwner")}</p>
      )}
    </>
  );
}

type MemberQuestionsProps = { member: OrganizationMember; refusedRemoval: RefusedForm };

function MemberQuestions({ member, refusedRemoval }: MemberQuestionsProps) {
  const { t } = useTranslation("manager-organizations");
  const { id, name, email } = member;
  const shownName = isolate(name || email);
  const target = <input type="hidden" name="member" value={id} />;
  return (
    <div className="flex flex-wrap gap-3 border-t border-line pt-4">
      <ConfirmDrawer
        intent="transfer"
        needsProof
        icon="key-round"
        trigger={t("transfer.title")}
        text={t("transfer.text", { name: shownName })}
      >
        {target}
      </ConfirmDrawer>
      <ConfirmDrawer
        intent="remove-member"
        needsProof
        icon="user-minus"
        isDestructive
        trigger={t("removeMember.title")}
        text={t("removeMember.text", { name: shownName })}
        refused={refusedRemoval}
      >
        {target}
        <FormErrors errors={refusedRemoval?.errors.member} />
      </ConfirmDrawer>
    </div>
  );
}

type RoleFormProps = { member: OrganizationMember; refused: RefusedForm };

function RoleForm({ member: { id, role }, refused }: RoleFormProps) {
  const { t } = useTranslation("manager-organizations");
  const common = useTranslation().t;
  const isBusy = useNavigation().formData?.get("intent") === "set-role";
  const form = useFirstErrorFocus(refused);
  const isHydrated = useIsHydrated();
  const { isUnsaved, handlers } = useUnsaved();
  return (
    <Form ref={form} method="post" noValidate {...handlers}>
      <input type="hidden" name="member" value={id} />
      <Field
        name="newRole"
        label={t("role")}
        hint={t("setRole.text")}
        errors={refused?.errors.newRole}
      >
        {(control) => (
          <div className="flex gap-3">
            <RoleSelect
              {...control}
              defaultValue={refused?.values.newRole ?? role}
              className="min-w-0 grow"
            />
            <Button
              isBusy={isBusy}
              disabled={isHydrated && !isUnsaved && !refused && !isBusy}
              name="intent"
              value="set-role"
              className="shrink-0"
            >
              {common("actions.save")}
            </Button>
          </div>
        )}
      </Field>
    </Form>
  );
}
