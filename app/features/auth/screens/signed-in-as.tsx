import { Form, href } from "react-router";
import { Button } from "../../../ui/forms/button.tsx";
import { EmailSentence } from "../../../ui/text/email-text.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";

type SignedInAsProps = {
  email: string;
  /** Page to open after the next sign-in. */
  next?: string;
};

/** Last line of a page between the sign-in and the product: who is signed in, and "Sign Out". */
export function SignedInAs({ email, next }: SignedInAsProps) {
  const { t } = useTranslation("onboarding");
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line pt-4 text-sm text-muted">
      <EmailSentence text={(shown) => t("loggedWith", { email: shown })} email={email} />
      <Form
        method="post"
        action={href("/sign-out") + (next ? `?${new URLSearchParams({ redirect: next })}` : "")}
        className="shrink-0"
      >
        <Button variant="quiet" className="-me-4">
          {t("signOut")}
        </Button>
      </Form>
    </div>
  );
}
