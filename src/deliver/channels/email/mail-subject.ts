import type { NetEntry } from '../../../message/net/net-entry.ts'
import { cut } from '../../../message/words/short.ts'
import type { Severity } from '../../../model/severity.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import type { Wording } from '../../../message/wording/wording.ts'
import type { RenderMessage } from '../message-renderer.ts'
import { onlyEntry, type ManyEvents } from '../told-entries.ts'
import { plainText } from './plain-text.ts'

/** Phones show less, and longer lines are folded by servers. */
const LONGEST = 150

interface SubjectOptions {
  /** The day of a digest; null: mail as it happens. */
  readonly day: string | null
  readonly wording: Wording
  readonly render: RenderMessage
}

/** One event, or several of one shipment: the news. Else how much there is of what; `day` where it is that of a day. */
export function subjectOf(events: ManyEvents, entries: readonly NetEntry[], options: SubjectOptions): string {
  const [entry, ...others] = entries
  const isOne = options.day === null && (events.length === 1 || others.length === 0)
  const news = entry === undefined || !isOne ? counts(events, entries, options) : onlyEntry(entry, options.render).title
  return cut(plainText(news).trim(), LONGEST)
}

function counts(events: ManyEvents, entries: readonly NetEntry[], { day, wording }: SubjectOptions): string {
  const graver = tonesOf(entries).filter(({ tone }) => tone === 'critical' || tone === 'warning')
  const parts = [
    countOf(events.length, 'event', wording),
    ...graver.map(({ amount, tone }) => countOf(amount, tone, wording)),
  ]
  const whose = [onlyAccount(events), day].filter((part) => part !== null).join(', ')
  return `${whose === '' ? '' : `${whose}${wording.terms.colon}`}${parts.join(', ')}`
}

const TONES: readonly Severity[] = ['critical', 'warning', 'good', 'neutral']

/** How many shipments and records there are of each tone, the gravest first; tones of which there are none are left out. */
export function tonesOf(entries: readonly NetEntry[]): readonly { readonly tone: Severity; readonly amount: number }[] {
  return TONES.map((tone) => ({ tone, amount: entries.filter((entry) => entry.tone === tone).length })).filter(
    ({ amount }) => amount > 0,
  )
}

/** The account of the events; null where they are of several. */
export function onlyAccount(events: ManyEvents): string | null {
  const accounts = new Set(events.map(({ account }) => account))
  const [account = null] = accounts
  return accounts.size === 1 ? account : null
}
