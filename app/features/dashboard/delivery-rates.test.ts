import { expect, test } from "vitest";
import { alarmingDeliveries, type DeliveryCounts, ratesOf } from "./delivery-rates.ts";

const NONE = { delayed: 0, failed: 0, delivered: 0, bounced: 0, suppressed: 0, complained: 0 };

function counts(some: Partial<DeliveryCounts>): DeliveryCounts {
  return { ...NONE, ...some };
}

test("rates are parts of the mails with an outcome", () => {
  const given = counts({ delivered: 90, bounced: 5, suppressed: 3, complained: 2 });

  expect(ratesOf({ ...given, delayed: 7, failed: 9 })).toEqual({
    total: 100,
    delivered: 0.9,
    bounced: 0.05,
    suppressed: 0.03,
    complained: 0.02,
  });
  expect(ratesOf(NONE)).toMatchObject({ total: 0, delivered: 0, bounced: 0 });
});

test.each([
  ["more than 5 % bounced", { delivered: 47, bounced: 3 }, 3, 0],
  ["5 % bounced", { delivered: 95, bounced: 5 }, 0, 0],
  ["fewer than 50 mails", { delivered: 40, bounced: 9 }, 0, 0],
  ["50 mails, all bounced", { bounced: 50 }, 50, 0],
  ["more than 0.1 % complaints", { delivered: 998, complained: 2 }, 0, 2],
  ["0.1 % complaints", { delivered: 999, complained: 1 }, 0, 0],
  ["suppressed mails only", { suppressed: 60 }, 0, 0],
])("%s", (_name, some, mailsBounced, mailsComplained) => {
  expect(alarmingDeliveries(counts(some))).toEqual({ mailsBounced, mailsComplained });
});
