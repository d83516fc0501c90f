export const BAN_REASON_MAX_LENGTH = 500;
