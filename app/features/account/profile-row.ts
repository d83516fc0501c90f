/** A value of the profile, and at the end of its line the control that changes it. */
export const profileRowClass = "flex items-center justify-between gap-4";
