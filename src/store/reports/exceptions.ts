import { exceptionState, type ExceptionState, type KeptException } from '../../model/exception.ts'
import { accountsAsked } from '../../model/scope.ts'
import type { Page } from '../../model/page.ts'
import type { Severity } from '../../model/severity.ts'
import type { ExceptionCount, ExceptionQuery, ExceptionStore } from '../ports/exception-port.ts'
import type { RowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'
import { accountNames, type Dialect, inBothOrders } from './dialect.ts'
import { atHand, type Lookup, type Reader } from './lookup.ts'
import { FIRST, LAST, type MergedRanges, pageOf, type Place, readPlace } from './ranges.ts'

/** The name of the list in its cursors. */
const LIST = 'exceptions'
/** The name of the list of open ones by their weight. */
const HEAVIEST_LIST = 'heaviest exceptions'
/** Exceptions that a page looks at: some milliseconds. */
const MOST_LOOKED_AT = 1_000
/** No character of an id comes behind it. */
const LAST_CHARACTER = '~'

const ROW = TABLES.exceptions.without('told', 'ends_at')
type Row = RowOf<typeof ROW>

const BEYOND = '(opened_at, ref) < (:key, :ref) ORDER BY opened_at DESC, ref DESC LIMIT CAST(:most AS integer)'

/** Whether an acknowledgement of an open exception still counts. */
const ACKNOWLEDGED = '(acknowledged_at IS NOT NULL AND (acknowledged_until IS NULL OR acknowledged_until > :now))'

/** The statements of a dialect, prepared once, for any store of it. */
export function exceptionQueries<Source>(
  dialect: Dialect<Source>,
): (read: Reader<Source>) => Pick<ExceptionStore, 'exceptionPage' | 'exceptionCounts'> {
  const page = exceptionPages(dialect)
  const counts = dialect.all<ExceptionCount>(`
    SELECT account, type, sum(CASE WHEN ${ACKNOWLEDGED} THEN 0 ELSE 1 END) AS open,
      sum(CASE WHEN ${ACKNOWLEDGED} THEN 1 ELSE 0 END) AS acknowledged
    FROM exceptions ${dialect.by('exceptions_open')} WHERE closed_at IS NULL GROUP BY account, type ORDER BY account, type`)
  return (read) => ({
    exceptionPage: (query) => read.whole((source) => page(source, query)),
    exceptionCounts: (now) => read.single((source) => counts(source, { now })),
  })
}

function exceptionPages<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: ExceptionQuery) => Lookup<Page<KeptException>> {
  const { all, by, isOneOf } = dialect
  const byRefs = all<Row>(`SELECT ${ROW.selected()} FROM exceptions WHERE ${isOneOf('ref', 'refs', 'bigint')}`)
  const byName = all<Row>(`
    SELECT ${ROW.selected()} FROM exceptions WHERE id >= :from AND id < :to ORDER BY id LIMIT CAST(:limit AS integer)`)
  const rangesOf = (index: string, condition: string) =>
    inBothOrders(dialect, () => ({
      columns: { one: 'text' },
      rows: ({ one }) =>
        `SELECT opened_at AS key, ref FROM exceptions ${by(index)} WHERE ${condition.replace('?', String(one))} AND ${BEYOND}`,
    })).newest
  const ofAll = {
    standing: rangesOf('exceptions_standing', `closed_at IS NULL AND ? IS NULL`),
    whole: rangesOf('exceptions_list', `? IS NULL`),
  }
  const ofAccounts = {
    standing: rangesOf('exceptions_account_standing', `closed_at IS NULL AND account = ?`),
    whole: rangesOf('exceptions_account', `account = ?`),
  }
  const seenTo = rangesOf('exceptions_seen_to', 'acknowledged_at IS NOT NULL AND closed_at IS NULL AND account = ?')
  const ofSubject = rangesOf('exceptions_subject', 'subject_id = ?')
  const [heaviest, names] = [heaviestRanges(dialect), accountNames(dialect)]
  return function* (source, query) {
    const { cursor, limit, named } = query
    if (named !== undefined) {
      const rows = yield* byName(source, { from: named, to: `${named}${LAST_CHARACTER}`, limit })
      return { items: rows.map(keptException).filter((each) => isAsked(each, query)), next: null }
    }
    const load = function* (refs: readonly number[]): Lookup<ReadonlyMap<number, KeptException>> {
      const found = (yield* byRefs(source, { refs })).map((row) => [row.ref, keptException(row)] as const)
      return new Map(found.filter(([, each]) => isAsked(each, query)))
    }
    if (query.heaviestFirst === true) {
      const ranges = yield* heaviest(source, query)
      return yield* pageOf(ranges, { load, limit, list: HEAVIEST_LIST, most: MOST_LOOKED_AT })
    }
    const isSeenTo = isAcknowledgedAlone(query.states)
    const accounts = isSeenTo ? yield* names(source, accountsAsked(query)) : accountsAsked(query)
    const ofList = accounts === undefined ? ofAll : ofAccounts
    const ofStates = isSeenTo ? seenTo : ofList[isOpenAlone(query.states) ? 'standing' : 'whole']
    const subjects = subjectsOf(query)
    const ranges = subjects === undefined ? ofStates : ofSubject
    const ones = subjects ?? accounts ?? [null]
    const asked = { order: 'newest' as const, each: ones.map((one) => () => ({ one })), values: () => atHand({}) }
    const from = readPlace(cursor, LIST) ?? LAST
    return yield* pageOf(ranges(source, { ...asked, from }), { load, limit, list: LIST, most: MOST_LOOKED_AT })
  }
}

/** How heavy an exception is, the heaviest first; what is more than any instant lies between two. */
const WEIGHTS: readonly Severity[] = ['critical', 'warning', 'neutral', 'good']
const BETWEEN_WEIGHTS = 1e14

/** Open exceptions by their weight, then by when they were opened: the place of one is its instant, beyond those of heavier ones. */
function heaviestRanges<Source>(
  dialect: Dialect<Source>,
): (source: Source, query: ExceptionQuery) => Lookup<MergedRanges> {
  const names = accountNames(dialect)
  const ranges = dialect.rangesOf({
    columns: { account: 'text', severity: 'text', heavier: 'bigint', opened: 'bigint', opened_ref: 'bigint' },
    rows: (of) => `
      SELECT opened_at + ${of['heavier']} AS key, ref FROM exceptions ${dialect.by('exceptions_heaviest')}
      WHERE closed_at IS NULL AND exceptions.account = ${of['account']} AND exceptions.severity = ${of['severity']}
        AND (opened_at, ref) > (${of['opened']}, ${of['opened_ref']})
      ORDER BY opened_at, ref LIMIT CAST(:most AS integer)`,
  })
  return function* (source, query) {
    const accounts = yield* names(source, accountsAsked(query))
    const each = accounts.flatMap((account) => WEIGHTS.map((severity, nth) => ofWeight({ account, severity }, nth)))
    return ranges(source, { from: readPlace(query.cursor, HEAVIEST_LIST) ?? FIRST, order: 'oldest', each })
  }
}

function ofWeight(of: { readonly account: string; readonly severity: Severity }, nth: number) {
  const heavier = nth * BETWEEN_WEIGHTS
  return ({ key, ref }: Place) => {
    const isWithin = key >= heavier
    return { ...of, heavier, opened: isWithin ? key - heavier : FIRST.key, opened_ref: isWithin ? ref : FIRST.ref }
  }
}

/** The subjects that are asked for; undefined: all. */
function subjectsOf({ subjectId, subjectIds }: ExceptionQuery): readonly string[] | undefined {
  return subjectId === undefined ? subjectIds : [subjectId]
}

function isOpenAlone(states: readonly ExceptionState[] | undefined): boolean {
  return states !== undefined && !states.includes('closed')
}

function isAcknowledgedAlone(states: readonly ExceptionState[] | undefined): boolean {
  return states?.length === 1 && states[0] === 'acknowledged'
}

function isAsked(each: KeptException, query: ExceptionQuery): boolean {
  const { now, states, type } = query
  return (
    accountsAsked(query)?.includes(each.account) !== false &&
    (type ?? each.type) === each.type &&
    subjectsOf(query)?.includes(each.subjectId) !== false &&
    (states === undefined || states.includes(exceptionState(each, now)))
  )
}

function keptException(row: Row): KeptException {
  const { acknowledgedAt: at, acknowledgedBy: by, acknowledgedUntil: until, event: eventId, note } = row
  const { account, closedAt, closedBy, expectation, id, milestone, openedAt, resource, severity, subjectId, type } = row
  const key = { account, resource, subjectId, type, milestone, expectation }
  const acknowledged = at === null || by === null ? null : { by, at, note, until }
  return { id, ...key, severity, openedAt, eventId, acknowledged, closedAt, closedBy }
}
