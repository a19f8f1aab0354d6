import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Of `/proc`, on every Linux that Node runs on. */
const TICK_MS = 10
const LOOK_MS = 50
const RESTING_LOOKS = 5

/** User and system time of a process since its start, of all threads; exact to 10 ms. Linux only. */
export function cpuMsOf(pid: number): number {
  const fields = fieldsOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** User and system time of all threads that a process has now, in milliseconds, exact to some microseconds. Linux only. */
export function threadsCpuMs(pid: number): number {
  const spent = readdirSync(`/proc/${pid}/task`).map((task) => {
    const [ranNs = '0'] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')
    return Number(ranNs)
  })
  return spent.reduce((sum, ns) => sum + ns, 0) / 1e6
}

/** The same of a process and those that it has started, ended or not. */
export function familyCpuMs(pid: number): number {
  const fields = fieldsOf(pid)
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MS
  const live = childrenOf(pid).map((child) => cpuMsOrNone(child))
  return cpuMsOf(pid) + ended + live.reduce((sum, ms) => sum + ms, 0)
}

function fieldsOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

/** It may have ended since it was listed. */
function cpuMsOrNone(pid: number): number {
  try {
    return cpuMsOf(pid)
  } catch {
    return 0
  }
}

/** Resolves to the same once the process has used no more than `idleMs` in each of five looks of 50 ms. */
export async function cpuMsAtRest(pid: number, idleMs = 0): Promise<number> {
  let used = cpuMsOf(pid)
  for (let resting = 0; resting < RESTING_LOOKS; resting += 1) {
    await delay(LOOK_MS)
    const now = cpuMsOf(pid)
    if (now > used + idleMs) resting = -1
    used = now
  }
  return used
}
