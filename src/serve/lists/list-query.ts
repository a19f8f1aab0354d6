import { isAccountName } from '../../model/account.ts'
import { DUE_CHOICES, readDueChoice } from '../../model/due-choice.ts'
import { readLane } from '../../model/lane.ts'
import { LIST_RULES, readRecordOrder, RECORD_FILTERS, type RecordOrder } from '../../model/record-order.ts'
import { RESOURCES, type RecordResource } from '../../model/resource.ts'
import { isCalendarDate, startOfDay } from '../../model/zoned-day.ts'
import type { RecordQuery } from '../../store/ports/record-query-port.ts'
import type { Desk } from '../scope/desks.ts'
import { dueAt } from '../due-at.ts'
import { problemResponse } from '../problem.ts'
import { viewer } from '../pages/parts/viewer.ts'

/** What is wrong with a parameter of a list; `detail`: behind its name. */
export interface ListProblem {
  readonly name: string
  readonly detail: string
}

export interface AskedList {
  readonly query: Omit<RecordQuery, 'limit' | 'cursor'>
  /** The parameters that are wrong; the query is that of the others. */
  readonly problems: readonly ListProblem[]
}

/** Names of what a list is asked for by, in the order in which people are told of them. */
export const LIST_PARAMETERS = ['q', 'account', 'status', ...RECORD_FILTERS, 'sort'] as const
type ListParameter = (typeof LIST_PARAMETERS)[number]

/** The value of a parameter; null: it is not given, or empty, as an empty field of a form sends it. */
export type ParameterOf = (name: ListParameter) => string | null

const MODE = /^[a-z][a-z_]{0,39}$/
/** The longest texts that lists are asked for by. */
const LONGEST = { q: 200, status: 100, carrier: 300 } as const
const DAY = 'must be a date such as 2026-12-31'

/** A list of records as its address asks for it. Days are those of the one zone. */
export function readList(
  resource: RecordResource,
  given: ParameterOf,
  desk: Pick<Desk, 'accounts' | 'clock'>,
): AskedList {
  const problems: ListProblem[] = []
  const read = <T>(name: ListParameter, meaning: (text: string) => T | null, detail: string): T | undefined => {
    const text = given(name)
    if (text === null) return undefined
    const value = appliesTo(resource, name) ? meaning(text) : null
    if (value !== null) return value
    problems.push({ name, detail: appliesTo(resource, name) ? detail : `says nothing of ${nameOf(resource)}` })
    return undefined
  }
  const order = read(
    'sort',
    (text) => orderOf(resource, text),
    `must be one of ${sortsOf(resource)}, \`-\` before it for the other way`,
  )
  const due = read('due', readDueChoice, `must be ${DUE_CHOICES}`)
  const found = {
    q: read('q', textOf(LONGEST.q), tooLong('q')),
    status: read('status', textOf(LONGEST.status), tooLong('status')),
    carrier: read('carrier', textOf(LONGEST.carrier), tooLong('carrier')),
    lane: read('lane', readLane, 'must be two ports, such as CNSHA-FRFOS or Shanghai - Rotterdam'),
    mode: read('mode', modeOf, 'must be a mode, such as air, ocean, rail or truck'),
    open: read('open', openOf, 'must be true or false'),
    arrives: daysOf(read('arrives_after', dayOf, DAY), read('arrives_before', dayOf, DAY)),
    order,
    due: due && dueAt(due, desk),
  }
  const account = read('account', (text) => (isAccountName(text) ? text : null), 'must be the name of an account')
  return { query: { resource, ...found, ...(account !== undefined && { account }) }, problems }
}

/** Whether a list can be asked for by a parameter at all. */
function appliesTo(resource: RecordResource, name: ListParameter): boolean {
  const filter = RECORD_FILTERS.find((each) => each === name)
  return filter === undefined || LIST_RULES[resource].filters.includes(filter)
}

function nameOf(resource: RecordResource): string {
  return RESOURCES[resource].labels.many.toLowerCase()
}

function orderOf(resource: RecordResource, text: string): RecordOrder | null {
  const order = readRecordOrder(text)
  return order !== null && LIST_RULES[resource].sorts.includes(order.by) ? order : null
}

function sortsOf(resource: RecordResource): string {
  return LIST_RULES[resource].sorts.join(', ')
}

function tooLong(name: keyof typeof LONGEST): string {
  return `must be a text of at most ${LONGEST[name]} characters`
}

function textOf(most: number): (text: string) => string | null {
  return (text) => (text.length > most ? null : text)
}

/** A mode, however it is capitalised. */
function modeOf(text: string): string | null {
  const mode = text.toLowerCase()
  return MODE.test(mode) ? mode : null
}

function openOf(text: string): boolean | null {
  return text === 'true' || text === 'false' ? text === 'true' : null
}

function dayOf(text: string): string | null {
  return isCalendarDate(text) ? text : null
}

/** The instants between which a day of two, both included, lies. */
function daysOf(after: string | undefined, before: string | undefined): RecordQuery['arrives'] {
  if (after === undefined && before === undefined) return undefined
  const { timeZone } = viewer()
  return {
    from: after === undefined ? null : startOfDay(after, timeZone),
    before: before === undefined ? null : startOfDay(before, timeZone, 1),
  }
}

/** What is wrong with the zone that is asked for. */
export function zoneProblems(): readonly ListProblem[] {
  const { wrongZone } = viewer()
  return wrongZone === null ? [] : [{ name: 'tz', detail: 'must be an IANA time zone, such as Europe/Paris' }]
}

/** 422, naming each parameter that is wrong. */
export function listProblem(problems: readonly ListProblem[]): Response {
  const errors = problems.map((problem) => ({ in: 'query', ...problem }))
  const detail = problems.map(({ detail: said, name }) => `\`${name}\` ${said}.`).join(' ')
  return problemResponse({ status: 422, detail, extras: { errors } })
}

/** The parameters of a request; an empty one is none. */
export function parameterOf({ req }: { readonly req: { query(name: string): string | undefined } }): ParameterOf {
  return (name) => {
    const value = req.query(name)
    return value === undefined || value === '' ? null : value
  }
}
