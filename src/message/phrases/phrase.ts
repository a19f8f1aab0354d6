import type { ToneRule } from '../tone.ts'

/** How one event type is said to people. */
export interface Phrase {
  /**
   * One sentence in plain English, as a Liquid template over the payload, with `it` (the subject's name), `data` and the
   * filters of `message/words`.
   */
  readonly say: string
  readonly tone: ToneRule
}
