/** What a process has used when it ends, all threads of it. */
export interface Usage {
  readonly cpuMs: number
  readonly peakMb: number
}

/** In the program's folder. */
export const USAGE_FILE = 'usage.json'
