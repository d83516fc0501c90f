import { type ChangeEvent, useEffect, useRef } from "react";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { Formatted } from "../../ui/text/formatted.tsx";
import { Message } from "../../ui/text/message.tsx";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { THINGS } from "../access/things.ts";
import { ALL_GROUPS, groupsOf, typesIn } from "./event-groups.ts";
import { EventName } from "./event-name.tsx";
import { type EventType, groupOf } from "./events.ts";

type EventsFieldProps = {
  offered: EventType[];
  chosen: readonly string[];
  errors: string[] | undefined;
};

/**
 * A box for all events, one for each group, and one for each type. With JavaScript they follow each
 * other; without it the server decides (`chosenIn`). The field keeps its height and scrolls, so
 * that nothing moves under the pointer.
 */
export function EventsField({ offered, chosen, errors }: EventsFieldProps) {
  const { t } = useTranslation("webhooks");
  const field = useRef<HTMLFieldSetElement>(null);
  const [error] = errors ?? [];
  const groups = groupsOf(offered);

  // Outside React: HTML has no attribute for a box that is ticked in part.
  useEffect(() => {
    if (field.current) showGroups(field.current);
  }, []);

  return (
    <fieldset
      ref={field}
      onChange={follow}
      className="grid gap-2 text-sm"
      aria-describedby={error ? "events-error" : undefined}
    >
      <legend className="mb-2 font-medium">{t("events")}</legend>
      <div className="relative h-60 divide-y divide-line overflow-y-auto rounded-md border border-line px-3">
        <div className="py-3">
          <GroupBox group={ALL_GROUPS} offered={offered} chosen={chosen} />
        </div>
        {groups.map((group) => (
          <EventGroup key={group} group={group} offered={offered} chosen={chosen} />
        ))}
      </div>
      <p id="events-error" role="alert" className="text-danger empty:hidden">
        {error && <Message value={error} />}
      </p>
    </fieldset>
  );
}

type EventGroupProps = Omit<EventsFieldProps, "errors"> & { group: string };

function EventGroup(props: EventGroupProps) {
  const { group, offered, chosen } = props;
  const { t } = useTranslation("webhooks");
  const format = useFormat();
  const types = typesIn(offered, group);
  const count = types.length;
  return (
    <div className="pt-3">
      <GroupBox {...props} />
      <div className="ms-8">
        <Disclosure
          title={
            <Formatted>{t("chosenCount", { count, formatted: format.number(count) })}</Formatted>
          }
        >
          <div className="grid gap-2 pb-3">
            {types.map((type) => (
              <TypeBox key={type} type={type} isChosen={chosen.includes(type)} />
            ))}
          </div>
        </Disclosure>
      </div>
    </div>
  );
}

/** A box for the types of a group. A hidden field says that it was drawn ticked. */
function GroupBox({ group, offered, chosen }: EventGroupProps) {
  const id = `group-${group}`;
  const isFull = typesIn(offered, group).every((type) => chosen.includes(type));
  return (
    <div className="flex items-start gap-3">
      <input
        type="checkbox"
        id={id}
        name="groups"
        value={group}
        defaultChecked={isFull}
        className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
      />
      <label htmlFor={id} className="grow font-medium">
        <GroupName group={group} />
      </label>
      {isFull && <input type="hidden" name="full" value={group} />}
    </div>
  );
}

function GroupName({ group }: { group: string }) {
  const { t } = useTranslation("webhooks");
  const text = useText();
  const thing = THINGS[group];
  if (group === ALL_GROUPS) return t("all");
  // A feature with events brings the text of their group.
  return thing ? text(thing.label) : t(`groups.${group}` as "groups.member");
}

function TypeBox({ type, isChosen }: { type: EventType; isChosen: boolean }) {
  return (
    <div className="flex items-start gap-3">
      <input
        type="checkbox"
        id={`event-${type}`}
        name="events"
        value={type}
        defaultChecked={isChosen}
        className="mt-[calc((1lh-1.25rem)/2)] size-5 shrink-0"
      />
      <label htmlFor={`event-${type}`} className="flex min-w-0 flex-wrap gap-x-2">
        <EventName type={type} />
        <code dir="ltr" lang="en" className="text-muted wrap-anywhere">
          {type}
        </code>
      </label>
    </div>
  );
}

/** Ticks the types of a group with its box, and then shows which groups are ticked. */
function follow({ target, currentTarget }: ChangeEvent<HTMLFieldSetElement>) {
  if (target instanceof HTMLInputElement && target.name === "groups") {
    for (const box of boxesIn(currentTarget, target.value)) box.checked = target.checked;
  }
  showGroups(currentTarget);
}

function showGroups(field: HTMLFieldSetElement) {
  for (const group of field.querySelectorAll<HTMLInputElement>('input[name="groups"]')) {
    const boxes = boxesIn(field, group.value);
    const ticked = boxes.filter(({ checked }) => checked).length;
    group.checked = ticked === boxes.length;
    group.indeterminate = ticked > 0 && ticked < boxes.length;
  }
}

/** Returns the boxes of the types of a group. */
function boxesIn(field: HTMLFieldSetElement, group: string): HTMLInputElement[] {
  const boxes = [...field.querySelectorAll<HTMLInputElement>('input[name="events"]')];
  return boxes.filter(({ value }) => group === ALL_GROUPS || groupOf(value) === group);
}
