/**
 * The part of a budget that goes at most into measuring whether lists show what is there. Requests that go there are missing elsewhere: where
 * all of the budget is used, changes are seen later by a little more than that part, and that is to stay below two percent.
 */
export const AUDIT_SHARE = 0.015
