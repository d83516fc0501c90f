import { formatsOf } from "../../i18n/formats.ts";
import { i18nFor } from "../../i18n/i18n.server.ts";
import type { Language } from "../../i18n/languages.ts";
import { formatMoney } from "../../i18n/money-format.ts";
import { isolate } from "../../ui/text/isolate.ts";
import type { Money } from "../../values/money.ts";
import type { Occasion } from "./occasion.ts";

export type Phrases = ReturnType<typeof phrasesOf>;

/** Returns what several mails say in the same words. Texts name the product as `product`. */
export function phrasesOf(language: Language, product: string) {
  const i18n = i18nFor(language).cloneInstance({
    interpolation: { defaultVariables: { product } },
  });
  const t = i18n.getFixedT(language, "mail");
  const format = formatsOf(language);
  const { list, longMoment, moment: shortMoment, number, place: placeInWords } = format;
  const moment = (at: string) => isolate(longMoment(new Date(at)));
  /** A calendar day, `YYYY-MM-DD`. */
  const day = (of: string) => isolate(format.longDay(new Date(of)));
  const money = (amount: Money) => isolate(formatMoney(amount, language));
  const nameOf = ({ browser, system }: NonNullable<Occasion["device"]>) =>
    t("newDevice.device", { browser: isolate(browser), system: isolate(system) });
  const deviceOf = ({ device }: Occasion) => (device ? nameOf(device) : t("newDevice.unknown"));
  const placeOf = ({ place }: Occasion) => place && placeInWords(place);
  const occasionOf = (occasion: Occasion) =>
    [deviceOf(occasion), placeOf(occasion), moment(occasion.at)].filter(Boolean).join(" · ");

  /** Device, location and time of a request, as far as they are known. */
  function originOf(occasion: Occasion | undefined): string | undefined {
    if (!occasion) return undefined;
    const time = isolate(shortMoment(new Date(occasion.at)));
    const device = occasion.device && nameOf(occasion.device);
    const place = placeOf(occasion);
    if (device && place) return t("request.deviceAndPlace", { device, place, time });
    if (device) return t("request.device", { device, time });
    return place ? t("request.place", { place, time }) : t("request.time", { time });
  }

  const notice = (
    key: "emailReplaced" | "emailAssigned" | "methodsRemoved" | "passkeyReleased" | "testMail",
  ) => ({
    subject: t(`${key}.subject`),
    preview: t(`${key}.text`),
    title: t(`${key}.title`),
    paragraphs: [t(`${key}.text`)],
  });
  return { t, list, moment, day, money, number, deviceOf, occasionOf, originOf, notice };
}
