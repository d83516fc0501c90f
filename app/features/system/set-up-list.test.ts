import { expect, test } from "vitest";
import { setUpListOf } from "./set-up-list.server.ts";
import { isListShown } from "./set-up-list.ts";

const site = {
  baseUrl: "https://app.example.com",
  isLoopback: false,
  signUpMode: "open" as const,
  isProductNamed: false,
};
const row = {
  isHidden: 0,
  backupAt: new Date(),
  isBrandSaved: 1,
  isSignUpChosen: 1,
  admins: 2,
  ofFeatures: { ship: true },
};
const mail = { isLocal: false, acceptedAt: new Date() };

test("the list is gone once every step is done, and while a manager hides it", () => {
  expect(isListShown(setUpListOf(site, row, mail))).toBe(false);
  expect(isListShown(setUpListOf(site, { ...row, admins: 1 }, mail))).toBe(true);
  expect(isListShown(setUpListOf(site, { ...row, admins: 1, isHidden: 1 }, mail))).toBe(false);
  expect(isListShown(setUpListOf(site, { ...row, ofFeatures: { ship: false } }, mail))).toBe(true);
});

test.each([
  ["domain", { ...site, isLoopback: true }, row, mail],
  ["mail", site, row, { isLocal: false, acceptedAt: null }],
  ["mail", site, row, { isLocal: true, acceptedAt: new Date() }],
  ["brand", site, { ...row, isBrandSaved: 0 }, mail],
  ["signUp", site, { ...row, isSignUpChosen: 0 }, mail],
  ["admin", site, { ...row, admins: 1 }, mail],
  ["backup", site, { ...row, backupAt: null }, mail],
] as const)(
  "the step %s is open without its fact, and the others keep their ticks",
  (step, ofSite, ofRow, ofMail) => {
    const { done } = setUpListOf(ofSite, ofRow, ofMail);

    expect(Object.entries(done).filter(([, isDone]) => !isDone)).toEqual([[step, false]]);
  },
);

test("a name and a choice of who may sign up may come from the settings of the installation", () => {
  const bare = { ...row, isBrandSaved: 0, isSignUpChosen: 0 };
  const named = { ...site, isProductNamed: true, signUpMode: "invitation" as const };

  expect(setUpListOf(named, bare, mail).done).toMatchObject({ brand: true, signUp: true });
});
