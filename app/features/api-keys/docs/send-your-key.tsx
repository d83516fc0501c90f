import { href } from "react-router";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { CodeBlock } from "../../../ui/text/code-block.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { API_KEY_LIMITS } from "../limits.ts";
import { KEY_PLACEHOLDER, snippetsOf } from "../snippets.ts";
import type { OwnCall } from "./shown-calls.ts";

type SendYourKeyProps = {
  baseUrl: string;
  /** A call for a first try; undefined when the API has none. */
  tried: OwnCall | undefined;
  /** The key that was made on the screen before. */
  made: string | undefined;
};

/** How a program sends its key, with a first call that can be copied. */
export function SendYourKey({ baseUrl, tried, made }: SendYourKeyProps) {
  const { t } = useTranslation("api");
  const format = useFormat();
  const key = made ?? KEY_PLACEHOLDER;
  const snippets = tried && snippetsOf(baseUrl + tried.path, key);
  return (
    <Panel
      id="send"
      title={t("send.title")}
      action={
        made === undefined && (
          <ButtonLink variant="secondary" isSmall to={`${href("/app/account/keys")}?state=new`}>
            <Icon name="key-round" className="size-4" />
            {t("send.create")}
          </ButtonLink>
        )
      }
    >
      <div className="grid gap-2 text-sm">
        <p>{t("send.text")}</p>
        <CodeBlock text={`Authorization: Bearer ${key}`} />
        <p className="text-muted">
          {t("send.either", { calls: format.number(API_KEY_LIMITS.calls.max) })}
        </p>
      </div>
      <div className="grid gap-2 text-sm">
        <h3 className="font-semibold">{t("send.base")}</h3>
        <CodeBlock text={baseUrl} copy={t("copy")} />
      </div>
      {snippets && (
        <>
          <div className="grid gap-2 text-sm">
            <h3 className="font-semibold">{t("send.curl")}</h3>
            <p className="text-muted">
              {made === undefined ? (
                <WithOwnText text={(value) => t("send.replace", { key: value })} value={key} />
              ) : (
                t("send.made")
              )}
            </p>
            <CodeBlock text={snippets.curl} copy={t("copy")} />
          </div>
          <Disclosure title={t("send.javascript")}>
            <CodeBlock text={snippets.javascript} copy={t("copy")} />
          </Disclosure>
          <Disclosure title={t("send.python")}>
            <CodeBlock text={snippets.python} copy={t("copy")} />
          </Disclosure>
          {tried.example !== undefined && (
            <div className="grid gap-2 text-sm">
              <h3 className="font-semibold">{t("send.answer")}</h3>
              <CodeBlock text={tried.example} />
            </div>
          )}
        </>
      )}
    </Panel>
  );
}
