import { Dotted } from "../../ui/text/dotted.tsx";
import { RelativeTime } from "../../ui/text/relative-time.tsx";
import { WithWholeValue } from "../../ui/text/with-whole-value.tsx";
import type { Party } from "./audit-event.ts";
import { PartyName } from "./party-name.tsx";

/** A manager's change, and its time. */
export type ManagerAct = {
  /** The manager; undefined when that account is gone. */
  actor: Party | undefined;
  at: Date;
};

type ManagerActLineProps = {
  act: ManagerAct;
  /** Returns the sentence with the manager's name. */
  text: (name: string) => string;
  /** The sentence for a manager whose account is gone. */
  unnamed: string;
  now: Date;
  className?: string;
};

/** A line that says which manager made a change, and when. `className` styles its sentence. */
export function ManagerActLine({ act, text, unnamed, now, className }: ManagerActLineProps) {
  return (
    <p className="text-muted">
      <Dotted hasSentence>
        <span className={className}>
          {act.actor ? (
            <WithWholeValue text={text}>
              <PartyName party={act.actor} />
            </WithWholeValue>
          ) : (
            unnamed
          )}
        </span>
        <RelativeTime date={act.at} now={now} />
      </Dotted>
    </p>
  );
}
