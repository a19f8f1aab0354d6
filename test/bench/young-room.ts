/** As `src/bin.js` sets it of a daemon. A process with a channel does not begin again to set it. */
export const YOUNG_ROOM = ['--min-semi-space-size=4', '--max-semi-space-size=16']
