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

/** The run with the median CPU time of several; the first one warms up and is left out. */
export async function medianCost(runs: number, work: () => Promise<unknown>): Promise<Cost> {
  await work()
  const costs: Cost[] = []
  for (let run = 0; run < runs; run += 1) costs.push(await costOf(work))
  const sorted = costs.toSorted((a, b) => a.cpuMs - b.cpuMs)
  return sorted[Math.floor(sorted.length / 2)] ?? { cpuMs: 0, wallMs: 0 }
}
