import { ELEMENT_SPECIMENS } from "./element-specimens.server.tsx";
import { FORM_SPECIMENS } from "./form-specimens.server.tsx";
import { FOUNDATION_SPECIMENS } from "./foundation-specimens.server.tsx";
import { FRAME_SPECIMENS } from "./frame-specimens.server.tsx";
import { LIST_SPECIMENS } from "./list-specimens.server.tsx";
import { PART_SPECIMENS } from "./part-specimens.server.tsx";
import { SCREEN_SPECIMENS } from "./screen-specimens.server.tsx";
import type { SpecimenGroup } from "./specimen.ts";

/** What the server renders, in the order of the page. */
export const SPECIMEN_GROUPS: SpecimenGroup[] = [
  { name: "foundations", specimens: FOUNDATION_SPECIMENS },
  { name: "elements", specimens: { ...ELEMENT_SPECIMENS, ...PART_SPECIMENS } },
  { name: "forms", specimens: FORM_SPECIMENS },
  { name: "screens", specimens: SCREEN_SPECIMENS },
  { name: "frames", specimens: FRAME_SPECIMENS },
  { name: "lists", specimens: LIST_SPECIMENS },
];
