import type { RunningShipbell } from '../support/shipbell.ts'

/** The line of an attempt after which its row is not tried again. */
const END = /"delivery":"([^"]+)".*"next":"(?:delivered|exhausted)"/g

/** Resolves once the daemon has said of so many rows how they ended; what it said it writes before it stops. */
export async function rowsEnded(daemon: RunningShipbell, rows: number): Promise<void> {
  const ended = new Set<string | undefined>()
  let readTo = 0
  const look = (): number | null => {
    const said = daemon.stderr.slice(readTo, daemon.stderr.lastIndexOf('\n') + 1)
    readTo += said.length
    for (const [, row] of said.matchAll(END)) ended.add(row)
    return ended.size < rows ? null : ended.size
  }
  await daemon.finds(look, `how ${rows} rows ended`)
}
