/** A value of the profile and the control that changes it: beside each other, on a phone one above the other. */
export const profileRowClass =
  "flex flex-col items-start gap-2 sm:flex-row sm:flex-wrap sm:items-center sm:justify-between sm:gap-x-4";
