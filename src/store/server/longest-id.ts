/**
 * In UTF-16 code units, each of which may take three bytes: an entry of an index of PostgreSQL takes 2,704 bytes at most, and an id is
 * kept there with an account and a resource.
 */
export const LONGEST_ID = 500
