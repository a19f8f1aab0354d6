/** `npm run test:release`, which runs each `*.property.test.ts` too, tries a property this many times as often as `npm test`. */
const TIMES = Number(process.env['PROPERTY_RUNS_TIMES'] ?? 1)

/** For a case of a property suite that has thousands of rows: `test.runIf(AT_LENGTH)` leaves it to a release. */
export const AT_LENGTH = TIMES > 1

/** For fast-check: dozens of tries in `npm test`, and many times as many before a release. */
export function runs(tries: number): { readonly numRuns: number } {
  return { numRuns: tries * TIMES }
}
