import {
  managerScreen,
  NOT_SUPPORT_NOR_FORM,
  signInScreen,
} from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { newEmail } from "../../../../tests/support/people.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import { WAITING_LIST_ACTS } from "../acts.ts";
import { WaitingListForm } from "../input.ts";

const JOIN = "/login/waiting-list";
const LIST = "/manager/settings/waiting-list";
/** The id of no request. */
const id = "nobody-has-this";
const SWITCHED_ON = "UPDATE waiting_list_setting SET is_on = 1";

export const facts = {
  access: {
    [JOIN]: signInScreen("/login", "/login"),
    [LIST]: managerScreen(200, 415, NOT_SUPPORT_NOR_FORM),
  },
  managers: { [LIST]: ["admin", "auditor"] },
  forms: {
    [LIST]: WaitingListForm,
    // Its own test sends it.
    [JOIN]: [],
  },
  acts: {
    [LIST]: [
      [WAITING_LIST_ACTS.approve, { intent: "approve", id }],
      [WAITING_LIST_ACTS.decline, { intent: "decline", id }],
      ["settings.update", { intent: "switch-on" }],
      ["settings.update", { intent: "switch-off" }],
    ],
  },
  changes: {
    "another sign-in or proof": [JOIN],
    "the back-office": [LIST],
  },
  tables: ["waiting_list", "waiting_list_setting"],
  settings: { gated: SWITCHED_ON },
  screens: [
    ...screensOf("admin", { "waiting-list": LIST }),
    ...screensOf("anyone", { "offering-login": "/login", join: JOIN }, "gated"),
  ],
  async translated({ gated: { gatehouse, ofStranger, ofManager } }) {
    await gatehouse.d1.exec(SWITCHED_ON);
    await ofStranger.submit(JOIN, { email: newEmail("hopeful") });
    return [
      ["login, with a waiting list", ofStranger, (browser) => browser.get("/login")],
      ["waiting list", ofStranger, (browser) => browser.get(JOIN)],
      ["waiting list, sent", ofStranger, (browser) => browser.get(`${JOIN}?sent=zuri@example.com`)],
      ["manager, waiting list", ofManager, (browser) => browser.get(LIST)],
      [
        "manager, waiting list, nobody declined",
        ofManager,
        (browser) => browser.get(`${LIST}?state=declined`),
      ],
    ];
  },
  limits: {
    somebodyElse: {
      "WAITING_LIST_LIMITS.ofSite":
        "67 networks that ask three times each fill the list of an hour. Without a bound their rows would hide the people who really ask. A captcha, where configured, is asked too.",
    },
    shown: [
      "WAITING_LIST_LIMITS.byClient",
      "WAITING_LIST_LIMITS.ofBusyNetworks",
      "WAITING_LIST_LIMITS.fewOfNetwork",
    ],
  },
  personal: ["waiting_list"],
} satisfies FeatureTests;
