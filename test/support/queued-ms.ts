import { readFileSync } from 'node:fs'

/** How long the main threads of processes have waited for a processor that others had: a busy machine is no fault of the program. */
export function queuedMs(...pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, queuedNs = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return sum + Number(queuedNs) / 1_000_000
  }, 0)
}
