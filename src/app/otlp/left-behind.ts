let isLeftBehind = false

/** What a collector did not take in time is left behind: its timers and connections are not to hold up the end of the process. */
export function leaveBehind(): void {
  isLeftBehind = true
}

/** Whether something that nobody waits for any more may keep the process from ending. */
export function hasLeftBehind(): boolean {
  return isLeftBehind
}
