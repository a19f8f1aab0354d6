import { readFileSync } from 'node:fs'

export interface ProcessMemory {
  /** Resident, in MB of 10⁶ bytes: now, and at its highest. */
  readonly nowMb: number
  readonly peakMb: number
}

/** Of a running process. Linux only. */
export function memoryOf(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string): number => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024) / 1e6
  return { nowMb: mb('VmRSS'), peakMb: mb('VmHWM') }
}
