export interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

/** CPU (user and system) and wall time of this process for one run of the work. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const wallMs = performance.now() - start
  const used = process.cpuUsage(cpu)
  return { cpuMs: (used.user + used.system) / 1_000, wallMs }
}

/**
 * The median CPU time of two works that take turns `runs` times, so that both see the same machine; each has run once before,
 * which is left out.
 */
export async function medianCpuOf(
  works: readonly [() => Promise<unknown>, () => Promise<unknown>],
  { runs }: { readonly runs: number },
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let run = 0; run <= runs; run += 1) {
    for (const side of [0, 1] as const) {
      const { cpuMs } = await costOf(works[side])
      if (run > 0) times[side].push(cpuMs)
    }
  }
  return [quantile(times[0], 0.5), quantile(times[1], 0.5)]
}

/** The value below which a `part` in [0, 1] of them lies; NaN: there are none. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}
