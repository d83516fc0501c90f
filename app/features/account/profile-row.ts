/** A value of the profile and the control that changes it: beside each other, or one above the other without room. */
export const profileRowClass = "flex flex-wrap items-center justify-between gap-x-4 gap-y-2";
