import type { ShipbellEvent } from '../../model/event.ts'
import type { EventType } from '../../model/event-catalogue.ts'
import { fullPayload } from '../../model/payload.ts'
import type { Severity } from '../../model/severity.ts'
import { lineOf, sentenceOf } from '../message.ts'
import { listOf } from '../words/references.ts'
import { cut, short } from '../words/short.ts'
import { countBeside } from '../wording/numbers.ts'
import type { CountedWord } from '../languages/terms.ts'
import type { Wording } from '../wording/wording.ts'
import type { NetChange, NetEntry } from './net-entry.ts'

/** One thing that changed, as a sentence. */
interface EntryLine {
  readonly tone: Severity
  readonly text: string
  /** What the line says; null: that all is back to what it was. */
  readonly change: NetChange | null
}

/** An entry as people read it. */
export interface SaidEntry {
  /** The shipment, named once, which the lines do not name again; null: the lines name what they are about. */
  readonly name: string | null
  /** The lines by weight, the heaviest first; at least one. */
  readonly lines: readonly [EntryLine, ...EntryLine[]]
}

/** How an event is said: by itself, or below the name of its shipment. */
export type Say = (event: ShipbellEvent, form: 'sentence' | 'line') => string

/** The built-in sentences. */
function sayingIn(wording: Wording): Say {
  return (event, form) => (form === 'line' ? lineOf : sentenceOf)(fullPayload(event), wording)
}

/**
 * An entry in words. An event that is alone keeps its own sentence; what several events of a shipment come to is said below its
 * name.
 */
export function saidEntry(entry: NetEntry, wording: Wording, own: Say | null = null): SaidEntry {
  const isNamed = entry.resource === 'shipment' && entry.events.length > 1
  const form = isNamed ? 'line' : 'sentence'
  const builtIn = sayingIn(wording)
  const say = own ?? builtIn
  // An operator's template, or the word test, is not lost in a sum.
  const isBuiltIn = ({ event }: NetChange): boolean => own === null || own(event, form) === builtIn(event, form)
  const alike = Map.groupBy(entry.changes, (change) => (isNamed ? alikeAs(change.event) : null) ?? change)
  const [first, ...rest] = [...alike.values()].flatMap((changes): readonly EntryLine[] => {
    const text = changes.length > 1 && changes.every(isBuiltIn) ? alikeText(changes, wording) : null
    if (text !== null) return changes.slice(0, 1).map((change) => ({ tone: change.tone, text, change }))
    return changes.map((change) => ({ tone: change.tone, text: say(change.event, form), change }))
  })
  const returned: EntryLine = { tone: 'neutral', text: wording.terms.summary.returned, change: null }
  return { name: isNamed || first === undefined ? shortName(entry) : null, lines: [first ?? returned, ...rest] }
}

/** What is said of several orders, or of several lines of one order, in one line below their shipment. */
const ALIKE: Readonly<Partial<Record<EventType, { readonly word: CountedWord; readonly of: 'orders' | 'lines' }>>> = {
  'purchase_order.assigned': { word: 'linesAssigned', of: 'lines' },
  'purchase_order.delivered': { word: 'ordersDelivered', of: 'orders' },
  'purchase_order.delivery_at_risk': { word: 'ordersAtRisk', of: 'orders' },
  'purchase_order.delivery_back_on_track': { word: 'ordersOnTrack', of: 'orders' },
  'purchase_order.eta_changed': { word: 'ordersMoved', of: 'orders' },
  'purchase_order.unassigned': { word: 'linesTakenOff', of: 'lines' },
}

/** What changes have in common that are said in one line; null: a change is said by itself. */
function alikeAs({ subject, type }: ShipbellEvent): string | null {
  const alike = ALIKE[type]
  if (alike === undefined) return null
  return alike.of === 'orders' ? type : `${type} ${subject.id}`
}

/** `3 orders at risk: PO-1, PO-2, PO-3.`, `3 lines of purchase order PO-1 were assigned.`; null: each is said by itself. */
function alikeText(changes: readonly NetChange[], wording: Wording): string | null {
  const orders = changes.map(({ event }) => event.subject.id)
  const alike = changes[0] === undefined ? undefined : ALIKE[changes[0].event.type]
  if (alike === undefined) return null
  const count = countBeside({ n: orders.length, order: short(orders[0]) }, alike.word, wording)
  return alike.of === 'lines' ? `${count}.` : `${count}${wording.terms.colon}${listOf(orders, wording) ?? ''}.`
}

const LONGEST = 60
const MOST_ID = 40

type Named = Pick<NetEntry, 'id' | 'name'>

/** The shortest good name of what an entry is about: what people call it, else its id. A name that is cut may be another's, too. */
function shortName(entry: Named): string {
  const { id, name } = entry
  return name !== null && name.length > LONGEST ? nameWithId(entry) : cut(name ?? id, LONGEST)
}

/** A name that does not tell alone which shipment it is. */
export function nameWithId({ id, name }: Named): string {
  return `${cut(name ?? id, LONGEST)} (${cut(id, MOST_ID)})`
}

/** An entry as one text: `Running shoes: ETA 12 → 17 Dec, 5 days later. The booking changed: vessel Ever Given → Ever Ace.` */
export function entryText({ name, lines }: SaidEntry, { terms }: Wording): string {
  const text = lines.map((line) => line.text).join(' ')
  return name === null ? text : `${name}${terms.colon}${text}`
}
