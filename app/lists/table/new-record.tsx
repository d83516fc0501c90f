import type { ReactNode } from "react";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { ListBreadcrumb } from "./list-breadcrumb.tsx";

type NewRecordProps = {
  title: string;
  /** The list that gets the record, and what it belongs to. */
  list: { to: string; title: string; of?: { to: string; name: string } };
  /** Draws the form, with the link that leads back to the list beside its button. */
  form: (cancel: ReactNode) => ReactNode;
};

/** Screen of a new record. */
export function NewRecord({ title, list, form }: NewRecordProps) {
  const { t } = useTranslation();
  return (
    <SingleColumn>
      <ScreenTitle>{title}</ScreenTitle>
      <ScreenHeader title={title} breadcrumb={<ListBreadcrumb {...list} />} />
      {form(
        <ButtonLink variant="secondary" to={list.to}>
          {t("actions.cancel")}
        </ButtonLink>,
      )}
    </SingleColumn>
  );
}
