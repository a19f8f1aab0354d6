import { hash } from 'node:crypto'
import { EXCEPTION_TYPES, type Closes, concernsExceptions, isRemoval } from '../model/exception-types.ts'
import type { ExceptionKey, ExceptionNews, SilentClosing, SilentOpening } from '../model/exception.ts'
import { parseInstant } from '../model/instant.ts'
import { field, textField } from '../model/json.ts'
import type { NewReminder } from '../model/reminder.ts'
import { severityOf, type Severity } from '../model/severity.ts'
import { type Milestone, MILESTONES } from '../model/shipment.ts'
import { type FreshEvent, subjectKey } from './events.ts'

/** For how long a shipment is finished before what is open of it closes. */
export const FINISHED_FOR_MS = 86_400_000

/** An exception that is open, as far as commits change it. */
export interface OpenException extends ExceptionKey {
  /** The row of an exception that is stored; null: this commit opens it. */
  readonly ref: number | null
  readonly id: string
  readonly severity: Severity
  readonly openedAt: number
  /** The event that opened it; null: it was opened in silence. */
  readonly event: string | null
  /** What that event says beside its record, as JSON. */
  readonly told: string | null
  /** When it closes by itself; null: it does not. */
  readonly endsAt: number | null
  readonly closedAt: number | null
  /** An event or a reason; null: it is open. */
  readonly closedBy: string | null
}

/** What a commit says of exceptions. */
export interface ExceptionCommit {
  readonly account: string
  readonly fresh: readonly FreshEvent[]
  readonly exceptions?: ExceptionNews | undefined
  /** The present of the account's calendar; left out: when its events ring. */
  readonly calendarAt?: number | undefined
}

/** A choice of open exceptions of an account: all that have what is named. */
export type OpenOf = Omit<SilentClosing, 'by' | 'at'>

/** Whether a choice is of one subject: else all that is open of the account has to be looked at. */
export function isOfSubject(of: OpenOf): of is OpenOf & Required<Pick<OpenOf, 'resource' | 'subjectId'>> {
  return of.resource !== undefined && of.subjectId !== undefined
}

/** Which open exceptions of its account a commit may change; none: there is nothing to look up. */
export function exceptionsConcerned({ account, exceptions, ...batch }: Concerned): readonly OpenOf[] {
  const events = batch.events.filter((event) => event.account === account && concernsExceptions(event.type))
  if (events.length === 0 && exceptions === undefined) return []
  const subjects = [...events.map(({ subject }) => subject), ...(exceptions?.opens ?? []).map(({ subject }) => subject)]
  const ofSubjects = new Map(subjects.map((subject) => [subjectKey(subject), ofSubject(subject)]))
  const chosen = (exceptions?.closes ?? []).map(({ at: _at, by: _by, ...of }) => of)
  return [...ofSubjects.values(), ...chosen]
}

type Subject = SilentOpening['subject']

function ofSubject({ id, resource }: Subject): OpenOf {
  return { resource, subjectId: id }
}

type Concerned = Pick<ExceptionCommit, 'account' | 'exceptions'> & {
  readonly events: readonly Pick<FreshEvent['event'], 'account' | 'type' | 'subject'>[]
}

/**
 * The exceptions that a commit opens, closes or alters, as they are then: first what its events say, in their order, then what
 * closes in silence, then what opens so. `open`: those that are stored and that it concerns.
 */
export function exceptionsAfter(commit: ExceptionCommit, open: readonly OpenException[]): readonly OpenException[] {
  const book = new ExceptionBook(commit.account, open)
  for (const each of commit.fresh) if (each.event.account === commit.account) book.hear(each, commit.calendarAt)
  for (const closing of commit.exceptions?.closes ?? []) book.close(closing)
  for (const opening of commit.exceptions?.opens ?? []) book.open(opening)
  return book.changed
}

/** The reminders of exceptions that a commit opens, each by the id of its exception. */
export function remindersAfter(
  changed: readonly OpenException[],
  planned: readonly NewReminder[],
): readonly (NewReminder & Pick<OpenException, 'id' | 'account'>)[] {
  if (planned.length === 0) return []
  const open = new Map(changed.filter(({ closedAt }) => closedAt === null).map((each) => [each.event, each]))
  return planned.flatMap((reminder) => {
    const of = open.get(reminder.eventId)
    return of === undefined ? [] : [{ ...reminder, id: of.id, account: of.account }]
  })
}

class ExceptionBook {
  readonly #account: string
  /** The exceptions that are open, by subject and `keyOf`: a commit may have thousands of events, each of which concerns one subject. */
  readonly #open = new Map<string, Map<string, OpenException>>()
  readonly #changed = new Map<string, OpenException>()

  constructor(account: string, open: readonly OpenException[]) {
    this.#account = account
    for (const each of open) this.#of(subjectOf(each)).set(keyOf(each), each)
  }

  get changed(): readonly OpenException[] {
    return [...this.#changed.values()]
  }

  hear(fresh: FreshEvent, calendarAt = fresh.storedAt): void {
    const { event } = fresh
    if (!concernsExceptions(event.type)) return
    const { subject, type } = event
    for (const each of this.#of(subject).values()) {
      const by = closedBy(each, event, calendarAt)
      if (by !== null) this.#put({ ...each, closedAt: event.timestamp, closedBy: by })
      else if (type === 'shipment.status_changed') this.#end(each, endOf(fresh))
    }
    const opened = openedBy(fresh, this.#account)
    if (opened !== null) this.#add(opened)
  }

  close({ at, by, ...of }: SilentClosing): void {
    const concerned = isOfSubject(of)
      ? [this.#of({ resource: of.resource, id: of.subjectId })]
      : [...this.#open.values()]
    for (const each of concerned.flatMap((own) => [...own.values()]))
      if (isOf(each, of)) this.#put({ ...each, closedAt: at, closedBy: by })
  }

  #end(each: OpenException, endsAt: number | null): void {
    if (each.endsAt !== endsAt) this.#put({ ...each, endsAt })
  }

  open(opening: SilentOpening): void {
    this.#add(openedSilently(opening, this.#account))
  }

  /** One that is open already stays; where no event opened it, the first one that says so is what it is told by. */
  #add(opened: OpenException): void {
    const known = this.#of(subjectOf(opened)).get(keyOf(opened))
    if (known === undefined) this.#put(opened)
    else if (known.event === null && opened.event !== null)
      this.#put({ ...known, event: opened.event, told: opened.told })
  }

  #put(exception: OpenException): void {
    const key = keyOf(exception)
    const own = this.#of(subjectOf(exception))
    if (exception.closedAt === null) own.set(key, exception)
    else own.delete(key)
    this.#changed.set(exception.id, exception)
  }

  #of(subject: Subject): Map<string, OpenException> {
    const key = subjectKey(subject)
    const own = this.#open.get(key) ?? new Map<string, OpenException>()
    this.#open.set(key, own)
    return own
  }
}

function subjectOf({ resource, subjectId: id }: ExceptionKey): Subject {
  return { resource, id }
}

function keyOf({ expectation, milestone, resource, subjectId, type }: ExceptionKey): string {
  return JSON.stringify([resource, subjectId, type, milestone, expectation])
}

function isOf(each: ExceptionKey, { expectation, milestone, resource, subjectId, type }: OpenOf): boolean {
  return (
    (type ?? each.type) === each.type &&
    (resource ?? each.resource) === each.resource &&
    (subjectId ?? each.subjectId) === each.subjectId &&
    (milestone ?? each.milestone) === each.milestone &&
    (expectation ?? each.expectation) === each.expectation
  )
}

type Event = FreshEvent['event']

/** By what an event closes an open exception of its subject; null: it does not. */
function closedBy(open: OpenException, event: Event, now: number): string | null {
  const { extras, id, type } = event
  if (isRemoval(type)) return 'removed'
  if (type === 'shipment.status_changed') return textField(extras, 'to') === 'cancelled' ? 'cancelled' : null
  const how = EXCEPTION_TYPES[open.type]?.closedBy[type]
  return how !== undefined && closes(how, open, { event, now }) ? id : null
}

function closes(
  how: Closes,
  open: OpenException,
  { event, now }: { readonly event: Event; readonly now: number },
): boolean {
  const milestone = milestoneOf(event)
  switch (how) {
    case 'all':
      return true
    case 'of milestone':
      return milestone === open.milestone
    case 'up to milestone':
      return placeOf(open.milestone) <= placeOf(milestone)
    case 'where date is ahead': {
      const date = parseInstant(field(field(field(event.extras, 'date_change'), 'to'), 'date'))
      return milestone === open.milestone && date !== null && date > now
    }
    case 'of expectation':
      return expectationOf(event) === open.expectation
    default:
      return how satisfies never
  }
}

function placeOf(milestone: Milestone | ''): number {
  return MILESTONES.findIndex((each) => each === milestone)
}

/** The milestone that an event is about; '': none. */
function milestoneOf({ extras }: Event): Milestone | '' {
  const name = textField(extras, 'milestone') ?? textField(field(extras, 'date_change'), 'milestone')
  return MILESTONES.find((each) => each === name) ?? ''
}

function expectationOf({ extras }: Event): string {
  return textField(extras, 'expectation') ?? ''
}

/** When what is open of a shipment closes by itself, as its new status says; null: it does not. */
function endOf({ event: { extras, timestamp } }: FreshEvent): number | null {
  return textField(extras, 'to') === 'finished' ? timestamp + FINISHED_FOR_MS : null
}

/** The exception that an event opens; null: none. */
function openedBy({ event }: FreshEvent, account: string): OpenException | null {
  const { extras, id, object, subject, timestamp, type } = event
  const rule = EXCEPTION_TYPES[type]
  if (rule === undefined) return null
  const key = {
    account,
    resource: subject.resource,
    subjectId: subject.id,
    type,
    milestone: rule.per === 'milestone' ? milestoneOf(event) : '',
    expectation: rule.per === 'expectation' ? expectationOf(event) : '',
  } as const
  const status = subject.resource === 'shipment' ? textField(object, 'status') : null
  return {
    ...newException(key, id),
    severity: severityOf(type, extras),
    openedAt: timestamp,
    event: id,
    told: JSON.stringify(extras),
    endsAt: status === 'finished' ? timestamp + FINISHED_FOR_MS : null,
    // The end of the subject came before.
    ...(status === 'cancelled' && { closedAt: timestamp, closedBy: 'cancelled' }),
  }
}

function openedSilently(
  { at, expectation = '', milestone, severity, subject, type }: SilentOpening,
  account: string,
): OpenException {
  const { id: subjectId, resource } = subject
  const key = { account, resource, subjectId, type, milestone: milestone ?? '', expectation } as const
  return {
    ...newException(key, String(at)),
    severity: severity ?? severityOf(type, undefined),
    openedAt: at,
    event: null,
    told: null,
    endsAt: null,
  }
}

/** `seed`: what tells it from others of its key that were open before. */
function newException(
  key: ExceptionKey,
  seed: string,
): ExceptionKey & Pick<OpenException, 'ref' | 'id' | 'closedAt' | 'closedBy'> {
  const { account, expectation, milestone, resource, subjectId, type } = key
  const text = JSON.stringify([account, resource, subjectId, type, milestone, expectation, seed])
  const id = `exc_${hash('sha256', text, 'hex').slice(0, 40)}`
  return { ...key, ref: null, id, closedAt: null, closedBy: null }
}
