import { expect, test } from "vitest";
import { openCookies, sealCookies } from "./host-cookies.ts";

function cookiesOf(cookie: string): string | null {
  return openCookies(new Request("https://gatehouse.example", { headers: { cookie } })).headers.get(
    "cookie",
  );
}

test("the product's cookies are read by their plain names, and without the host prefix they are ignored", () => {
  expect(cookiesOf("__Host-gatehouse.theme=a=b; gatehouse.toast=planted; i18next=fr")).toBe(
    "gatehouse.theme=a=b; i18next=fr",
  );
  expect(cookiesOf("gatehouse.theme=planted; __Host-gatehouse.theme=ours")).toBe(
    "gatehouse.theme=ours",
  );
});

test("other cookies stay as they are", () => {
  const header = "__Host-gatehouse.session_token=x; gatehouse.other=y; __Host-gatehouse.themes=z";

  expect(cookiesOf(header)).toBe(header);
  expect(cookiesOf("gatehouse.")).toBe("gatehouse.");
});

test("every cookie of a response is made Secure once, and the product's are bound to the host", () => {
  const headers = new Headers({ "X-Other": "1" });
  headers.append("Set-Cookie", "gatehouse.toast=x; Path=/; Expires=Thu, 01 Jan 2026 00:00:00 GMT");
  headers.append("Set-Cookie", "i18next=fr; Path=/");
  headers.append("Set-Cookie", "__Host-gatehouse.session_token=x; Path=/; Secure; HttpOnly");

  sealCookies(headers);

  expect(headers.getSetCookie()).toEqual([
    "__Host-gatehouse.toast=x; Path=/; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Secure",
    "i18next=fr; Path=/; Secure",
    "__Host-gatehouse.session_token=x; Path=/; Secure; HttpOnly",
  ]);
});
