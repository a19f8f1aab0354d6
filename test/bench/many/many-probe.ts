/** Loaded into the program before its own code: says over the parent's channel for how long the loop was held since it was last asked. */
export interface Held {
  /** Milliseconds, the longest. */
  readonly longestMs: number
  /** How many times it was held for more than 50 ms. */
  readonly over50: number
}

const LOOK_EVERY_MS = 10

let last = performance.now()
let [longestMs, over50] = [0, 0]
setInterval(() => {
  const now = performance.now()
  const heldMs = now - last - LOOK_EVERY_MS
  last = now
  longestMs = Math.max(longestMs, heldMs)
  if (heldMs > 50) over50 += 1
}, LOOK_EVERY_MS).unref()
process.on('message', () => {
  process.send?.({ longestMs, over50 } satisfies Held)
  ;[longestMs, over50] = [0, 0]
})
process.channel?.unref()
