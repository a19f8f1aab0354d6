import type { LiveWorker } from '../store/ports/worker-port.ts'

/** The worker whose configuration was loaded last: what it says is in force. undefined: nobody lives. */
export function newestOf(workers: readonly LiveWorker[]): LiveWorker | undefined {
  return workers
    .filter(takesPart)
    .toSorted((a, b) => b.loadedAt - a.loadedAt || compareIds(b.id, a.id))
    .at(0)
}

/** Whether a process takes part in the work: other commands read and deliver nothing for others. */
export function takesPart({ command }: LiveWorker): boolean {
  return command === 'run'
}

/** Orders ids of workers alike everywhere. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
