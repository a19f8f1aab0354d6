import { html } from 'hono/html'
import type { Severity } from '../../../model/severity.ts'
import { say } from '../languages/say.ts'
import type { Html } from './markup.ts'
import { text } from './text.ts'
import { wordText } from './words.ts'

/** `dim`: over, or of no account. */
export type BadgeTone = Severity | 'dim'

/** Words of the platform and our own for how something stands; others are neutral. */
const TONES: Readonly<Record<string, BadgeTone>> = {
  // Records, and their dates.
  finished: 'good',
  paid: 'good',
  actual: 'good',
  cancelled: 'dim',
  write_off: 'dim',
  removed: 'dim',
  due: 'warning',
  partially_paid: 'warning',
  in_modification: 'warning',
  problem: 'critical',
  litigious: 'critical',
  // Deliveries and endpoints.
  delivered: 'good',
  ok: 'good',
  held: 'warning',
  failing: 'warning',
  unverified: 'warning',
  disabled: 'critical',
  exhausted: 'critical',
  discarded: 'dim',
  // Accounts, and how fresh they are.
  fresh: 'good',
  grace: 'warning',
  late: 'critical',
  stale: 'critical',
  unread: 'dim',
  degraded: 'warning',
  unauthorized: 'critical',
}

/** A longer label may break in a list, rather than have it grow wider than its panel. */
const LONGEST_LINE = 16

export function badge(label: string, tone: BadgeTone): Html {
  const isWordy = label.length > LONGEST_LINE
  return html`<span class="badge ${tone}${isWordy ? ' wordy' : ''}">${text(label, 60)}</span>`
}

/** How something stands, in the platform's word or ours. */
export function stateBadge(state: string): Html {
  return badge(say(wordText(state)), Object.hasOwn(TONES, state) ? (TONES[state] ?? 'neutral') : 'neutral')
}
