import { ProofFirst } from "../../../ui/forms/proof.tsx";
import { useCssId } from "../../../ui/layout/use-css-id.ts";
import { Message, type MessageReference } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { ROLES, type Role } from "../../access/role-names.ts";

type RoleFieldProps = {
  roles: readonly string[];
  errors: MessageReference[] | undefined;
  /** Why the roles cannot be changed here. */
  fixed?: MessageReference;
  /** Learns which roles are checked after each change. */
  onChange?: (checked: string[]) => void;
};

/** Checkboxes for the roles of a user, each with what it allows. */
export function RoleField({ roles, errors, fixed, onChange }: RoleFieldProps) {
  const { t } = useTranslation("users");
  const id = useCssId();
  const [error] = errors ?? [];
  const shown = fixed ? ROLES.filter((role) => roles.includes(role)) : ROLES;
  return (
    <fieldset
      className="grid gap-3"
      aria-describedby={fixed ? `${id}-hint` : undefined}
      onChange={({ currentTarget }) => onChange?.(checkedRolesIn(currentTarget))}
    >
      <legend className="mb-2 text-sm font-medium">{t("roleField")}</legend>
      {shown.map((role, index) => (
        <RoleOption
          key={role}
          id={`${id}-${role}`}
          role={role}
          isChecked={roles.includes(role)}
          isFixed={fixed !== undefined}
          errorId={error && index === 0 ? `${id}-error` : undefined}
        />
      ))}
      {fixed && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          <Message value={fixed} />
        </p>
      )}
      {!fixed && <ProofFirst />}
      <p id={`${id}-error`} role="alert" className="text-sm text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
    </fieldset>
  );
}

export function checkedRolesIn(element: HTMLElement): string[] {
  const boxes = element.querySelectorAll<HTMLInputElement>('input[name="role"]:checked');
  return [...boxes].map(({ value }) => value);
}

type RoleOptionProps = {
  id: string;
  role: Role;
  isChecked: boolean;
  isFixed: boolean;
  /** Id of the error, on the first checkbox. */
  errorId: string | undefined;
};

function RoleOption({ id, role, isChecked, isFixed, errorId }: RoleOptionProps) {
  const { t } = useTranslation("users");
  return (
    <div className="flex gap-3">
      {/* A disabled checkbox is not sent. */}
      {isFixed && <input type="hidden" name="role" value={role} />}
      <input
        type="checkbox"
        name="role"
        value={role}
        id={id}
        aria-describedby={[errorId, `${id}-hint`].filter(Boolean).join(" ")}
        aria-invalid={errorId ? true : undefined}
        defaultChecked={isChecked}
        disabled={isFixed}
        className="mt-0.5 size-5 shrink-0"
      />
      <div className="grid gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          {t(`roles.${role}`)}
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {t(`roleHints.${role}`)}
        </p>
      </div>
    </div>
  );
}
