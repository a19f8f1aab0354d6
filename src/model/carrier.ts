/**
 * What carriers are compared by: a reader types `maersk` for `MAERSK`. Only A to Z are folded, because `lower()` folds no more
 * in either store, whose index of carriers is over it.
 */
export function carrierKey(name: string): string {
  return name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Whether a record names the carrier that is asked for, or none is asked for. */
export function isOfCarrier(name: string | null, asked: string | undefined): boolean {
  return asked === undefined || (name !== null && carrierKey(name) === carrierKey(asked))
}
