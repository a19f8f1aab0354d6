import type { NetChange, NetEntry } from '../../../message/net/net-entry.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import type { Wording } from '../../../message/wording/wording.ts'
import { money } from '../../../message/words/money.ts'
import { totalsByCurrency } from '../../../model/invoice.ts'
import { field, isJsonArray, textField } from '../../../model/json.ts'
import type { ShipbellEvent } from '../../../model/event.ts'

/** The parts of a mail about many events, in their order. */
const PARTS = ['needs', 'slipped', 'invoices', 'done', 'others'] as const
type Part = (typeof PARTS)[number]

/** A part of a mail, with the entries that it shows. */
export interface DigestSection {
  readonly part: Part
  readonly entries: readonly NetEntry[]
  /** What invoices come to, by what became of them. */
  readonly sums: readonly string[]
}

/** How many entries a part has before the others had their share. */
const SHARE: Readonly<Record<Part, number>> = { needs: 10, slipped: 6, invoices: 3, done: 3, others: 2 }

/**
 * The parts of a mail of at most `most` lines, of which each entry, title and sum takes one: every part has its share, what is left
 * goes to the first parts. An entry is in one part alone.
 */
export function digestSections(entries: readonly NetEntry[], most: number, wording: Wording): readonly DigestSection[] {
  const byPart = Map.groupBy(entries, partOf)
  const sums = invoiceSums(entries, wording)
  const parts = PARTS.map((part) => ({
    part,
    all: inPart(part, byPart.get(part) ?? []),
    sums: part === 'invoices' ? sums : [],
  }))
  const present = parts.filter(({ all, sums: own }) => all.length + own.length > 0)
  let left = most - present.length - sums.length
  const shares = present.map(({ part, all }) => {
    const share = Math.min(all.length, SHARE[part], left)
    left -= share
    return share
  })
  return present.map(({ all, ...section }, place) => {
    const more = Math.min(all.length - (shares[place] ?? 0), left)
    left -= more
    return { ...section, entries: all.slice(0, (shares[place] ?? 0) + more) }
  })
}

function partOf({ changes, tone }: NetEntry): Part {
  if (tone === 'critical') return 'needs'
  if (changes.length > 0 && changes.every(isOfInvoice)) return 'invoices'
  if (tone === 'warning') return changes.some(({ minutes }) => (minutes ?? 0) > 0) ? 'slipped' : 'needs'
  return tone === 'good' ? 'done' : 'others'
}

function isOfInvoice({ event }: NetChange): boolean {
  return event.subject.resource === 'invoice'
}

/** What needs someone and is critical comes first, dates by how far they went, what falls due by its day. */
function inPart(part: Part, entries: readonly NetEntry[]): readonly NetEntry[] {
  if (part !== 'invoices') return entries
  return entries.toSorted((a, b) => (dueOf(a) < dueOf(b) ? -1 : dueOf(a) > dueOf(b) ? 1 : 0))
}

const NEVER = '9999'

function dueOf({ changes }: NetEntry): string {
  const days = changes.map(({ event: { extras } }) => textField(extras, 'due_date') ?? NEVER)
  return days.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? NEVER
}

type Counted = 'overdue' | 'fallingDue' | 'newInvoice' | 'paid'

/** What each kind of news about invoices is counted as. */
function countedAs({ extras, type }: ShipbellEvent): Counted | null {
  if (type === 'invoice.overdue') return 'overdue'
  if (type === 'invoice.due_soon' || type === 'invoice.due') return 'fallingDue'
  if (type === 'invoice.created') return 'newInvoice'
  return type === 'invoice.status_changed' && textField(extras, 'to') === 'paid' ? 'paid' : null
}

/** `3 overdue: EUR 4,200.00 + USD 300.00`, exactly; an invoice is counted as the heaviest that is said of it. */
function invoiceSums(entries: readonly NetEntry[], wording: Wording): readonly string[] {
  const counted = new Map<string, { readonly as: Counted; readonly event: ShipbellEvent }>()
  for (const { event } of entries.flatMap(({ changes }) => changes)) {
    const [as, key] = [countedAs(event), JSON.stringify([event.account, event.subject.id])]
    if (as !== null && event.cause !== 'test' && !counted.has(key)) counted.set(key, { as, event })
  }
  const byKind = Map.groupBy(counted.values(), ({ as }) => as)
  return (['overdue', 'fallingDue', 'newInvoice', 'paid'] as const).flatMap((as) => {
    const events = (byKind.get(as) ?? []).map(({ event }) => event)
    if (events.length === 0) return []
    const lines = events.flatMap(({ object }) => {
      const own = field(object ?? undefined, 'lines')
      return own !== undefined && isJsonArray(own) ? own : []
    })
    const count = countOf(events.length, as, wording)
    return [lines.length === 0 ? count : `${count}${wording.terms.colon}${money(totalsByCurrency(lines), wording)}`]
  })
}
