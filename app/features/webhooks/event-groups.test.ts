import { expect, test } from "vitest";
import { ALL_GROUPS, chosenIn, EVENT_GROUPS, groupsOf, typesIn } from "./event-groups.ts";
import { EVENT_TYPES, eventTypesFor, groupOf } from "./events.ts";

const offered = EVENT_TYPES;
const users = typesIn(offered, "user");
const [first = "user.created"] = users;
const NOTHING = { events: [], groups: [], full: [] };

test("every type is in one group of the form", () => {
  const all = groupsOf(offered).flatMap((group) => typesIn(offered, group));

  expect(all.toSorted()).toEqual(offered.toSorted());
  expect(EVENT_GROUPS).toEqual([ALL_GROUPS, ...new Set(offered.map(groupOf))]);
  expect(groupsOf(offered).slice(0, 2)).toEqual(["user", "session"]);
});

test.each([
  ["a ticked group", { groups: ["user"] }, users],
  ["a ticked group beside one of its types", { groups: ["user"], events: [first] }, users],
  ["one type", { events: [first] }, [first]],
  ["a full group that stayed", { groups: ["user"], full: ["user"], events: users }, users],
  [
    "a full group of which one type was unticked",
    { groups: ["user"], full: ["user"], events: users.slice(1) },
    users.slice(1),
  ],
  ["a full group that was unticked", { full: ["user"], events: users }, []],
  [
    "a full group that followed its type",
    { full: ["user"], events: users.slice(1) },
    users.slice(1),
  ],
  ["the box of all", { groups: [ALL_GROUPS] }, [...offered]],
  [
    "the box of all, unticked",
    { groups: groupsOf(offered), full: EVENT_GROUPS, events: [...offered] },
    [],
  ],
])("%s chooses its types", (_name, ticked, types) => {
  const chosen = chosenIn(offered, { ...NOTHING, ...ticked });

  expect(chosen.toSorted()).toEqual(types.toSorted());
});

test("no form chooses a type that is not offered", () => {
  const own = eventTypesFor("organization");

  expect(chosenIn(own, { ...NOTHING, groups: ["user"], events: ["user.created"] })).toEqual([]);
  expect(chosenIn(own, { ...NOTHING, groups: [ALL_GROUPS] }).toSorted()).toEqual(own.toSorted());
});
