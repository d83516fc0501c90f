import { aroundValues } from "./around-values.ts";

type WithOwnTextProps = {
  text: (value: string) => string;
  value: string;
};

/** A sentence with a text that a user typed, isolated by an element: its direction does not mix with the sentence's. */
export function WithOwnText({ text, value }: WithOwnTextProps) {
  const [before, after = ""] = aroundValues(text);
  return (
    <>
      {before}
      <bdi>{value}</bdi>
      {after}
    </>
  );
}
