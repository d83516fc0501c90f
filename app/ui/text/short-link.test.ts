import { expect, test } from "vitest";
import { withoutScheme } from "./short-link.tsx";

test.each([
  ["https://git.example.com/team/app/", "git.example.com/team/app"],
  ["https://git.example.com/m%C3%A9tro-%D8%B5%D9%86", "git.example.com/métro-صن"],
  // A reversed direction, a second slash and a space could hide where the link leads.
  ["https://git.example.com/%E2%80%AEgpj", "git.example.com/%E2%80%AEgpj"],
  ["https://git.example.com/a%2Fb%20c", "git.example.com/a%2Fb%20c"],
  ["https://git.example.com/%C3%28", "git.example.com/%C3%28"],
  ["https://git.example.com/%FF", "git.example.com/%FF"],
])("%s is shown as %s", (link, shown) => {
  expect(withoutScheme(link)).toBe(shown);
});
