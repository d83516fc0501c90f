export const NAME_MAX_LENGTH = 100;
export const BAN_REASON_MAX_LENGTH = 500;
