interface WatermarkTime {
  /** When the next one is due, as it was known; null: there was none yet. */
  readonly dueAt: number | null
  readonly now: number
  readonly everyMs: number
}

/**
 * Whether a watermark is due, and when the next one is then. Whoever claims it moves that instant: of several who ask, one gets it. A clock
 * that was set back, or a shorter time between two, makes nobody wait for longer than that time.
 */
export function nextWatermark({ dueAt, everyMs, now }: WatermarkTime): {
  readonly isDue: boolean
  readonly dueAt: number
} {
  if (dueAt !== null && dueAt > now && dueAt <= now + everyMs) return { isDue: false, dueAt }
  const isInTime = dueAt !== null && dueAt <= now && now - dueAt < everyMs
  return { isDue: true, dueAt: (isInTime ? dueAt : now) + everyMs }
}
