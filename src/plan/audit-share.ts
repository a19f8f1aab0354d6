/** The part of a budget that goes at most into measuring whether lists show what is there. */
export const AUDIT_SHARE = 0.02
