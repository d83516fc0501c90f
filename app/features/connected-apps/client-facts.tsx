import { CopyIcon } from "../../ui/forms/copy-button.tsx";
import { Fact } from "../../ui/text/fact.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { PROVIDER } from "./provider-paths.ts";

type ClientFactsProps = {
  /** URL of this site, as apps know it. */
  issuer: string;
  clientId: string;
};

/** What is entered into the settings of an app, beside its secret. */
export function ClientFacts({ issuer, clientId }: ClientFactsProps) {
  const { t } = useTranslation("connected-apps");
  return (
    <>
      <CopiedFact term={t("office.issuer")} value={issuer} copy={t("office.copyIssuer")} />
      <CopiedFact term={t("office.clientId")} value={clientId} copy={t("office.copyClientId")} />
      <CopiedFact
        term={t("office.discovery")}
        value={`${issuer}${PROVIDER.openId}`}
        copy={t("office.copyDiscovery")}
      />
    </>
  );
}

function CopiedFact({ term, value, copy }: { term: string; value: string; copy: string }) {
  return (
    <Fact term={term}>
      <span className="flex min-h-lh items-center gap-3">
        <code dir="ltr" lang="en" className="min-w-0 text-sm wrap-anywhere rtl:text-end">
          {value}
        </code>
        <CopyIcon text={value} label={copy} />
      </span>
    </Fact>
  );
}
