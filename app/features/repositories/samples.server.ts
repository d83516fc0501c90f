import { searchKey } from "../../db/fold.ts";
import type { Samples } from "../samples/sample-data.server.ts";
import { momentBefore, pick, type Row, randomOf, sampleId } from "../samples/sample-rows.ts";

const REPOSITORY_WORDS = [
  words(
    "amber brisk calm daily early fable green inner jolly kind lunar métro noble open piga quiet",
  ),
  words("atlas bridge compass daraja engine forge garden index kernel ledger mirror صندوق taswira"),
] as const;

const DESCRIPTIONS = [
  null,
  "Shared components and the guide that explains when to use which.",
  "Nightly jobs: imports, reports and the clean-up behind them.",
  "Les modèles de courriels et leurs traductions.",
  "أدوات داخلية لمتابعة الطلبات والفواتير.",
  "Maktaba ya pamoja ya huduma za malipo.",
];

/** Sample repositories. */
export const sampleRepositories: Samples = ({ things }, today) => [
  { table: "repository", count: things, rowsOf: (index) => [sampleRepository(index, today)] },
];

function sampleRepository(index: number, now: number): Row {
  const [first, second] = REPOSITORY_WORDS;
  // 16 first words and 13 second words have no common divisor, so every pair comes once before any repeats.
  const round = Math.floor(index / (first.length * second.length));
  const pair = `${pick(first, index)}-${pick(second, index)}`;
  const name = round === 0 ? pair : `${pair}-${round + 1}`;
  const createdAt = momentBefore(now, randomOf("repository", index));
  const link = `https://git.example.com/sample/${encodeURIComponent(name)}`;
  const description = pick(DESCRIPTIONS, index);
  return {
    id: sampleId("repository", index),
    name,
    // Sample names are lower case and NFC, so each equals its key.
    name_key: name,
    link,
    description,
    search_key: searchKey(name, link, description),
    created_at: createdAt,
    updated_at: createdAt,
  };
}

function words(text: string) {
  return text.split(" ");
}
