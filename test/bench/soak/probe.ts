/** Loaded into the program before its own code: says over the parent's channel what can only be known inside. */
export interface Inside {
  readonly heapBytes: number
  readonly timers: number
  /** Everything that keeps a loop alive, timers among it. */
  readonly resources: number
}

process.on('message', () => {
  const active = process.getActiveResourcesInfo()
  const timers = active.filter((name) => name === 'Timeout').length
  const inside: Inside = { heapBytes: process.memoryUsage().heapUsed, timers, resources: active.length }
  process.send?.(inside)
})
// The program ends when it would without this.
process.channel?.unref()
