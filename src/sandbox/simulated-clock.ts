/** Time that runs `speed` times faster than the real one, from `startAt` on (milliseconds since the Unix epoch). */
export function simulatedClock(options: {
  readonly clock: { now(): number }
  readonly speed: number
  readonly startAt: number
}): () => number {
  const { clock, speed, startAt } = options
  const realStart = clock.now()
  return () => Math.floor(startAt + (clock.now() - realStart) * speed)
}
