/** As a daemon has it but in a burst (`src/bin.js`). A process with a channel does not begin again to set it. */
export const YOUNG_ROOM = ['--min-semi-space-size=4', '--max-semi-space-size=4']
