import { type FreshEvent, freshEvents, numberEvents, rangAt, shownAt } from '../../ledger/events.ts'
import { PlacedAnswer } from '../../ledger/reads.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import { accountOf } from '../records/record-rows.ts'
import type { BatchChange, ReadBatch } from '../ports/commit-port.ts'
import { lockAccounts, saveCeiling, saveLearnt, savePause, saveQuarantine } from '../accounts/accounts.postgres.ts'
import { saveArrivals } from '../arrivals/arrival-rows.postgres.ts'
import { countRequests } from '../accounts/request-counts.postgres.ts'
import { BatchRecords } from '../records/record-rows.postgres.ts'
import type { Database, Transaction } from '../server/database.ts'
import { saveExpectations } from '../expectations/expectation-rows.postgres.ts'
import { knownDates, notifiedDateRows, toldDateRows } from '../records/date-rows.postgres.ts'
import { DocumentWriter } from '../documents/documents.postgres.ts'
import { refuseStray } from '../events/event-rows.ts'
import { exceptionRows, openExceptions } from '../exceptions/exception-rows.postgres.ts'
import { remindAnew, saveSteps } from '../exceptions/reminder-rows.postgres.ts'
import { saveHold, saveUnproved } from '../lists/hold-rows.postgres.ts'
import { listRow, saveAudit, saveChurning, saveLying } from '../lists/list-rows.postgres.ts'
import {
  answeredPage,
  doubtedPages,
  grownLists,
  membersOf,
  pageRow,
  printRows,
  readRows,
  wantedReads,
} from '../lists/read-rows.postgres.ts'
import { knownRead, pageIn, readAnswerOf, refuseOvertaken } from '../lists/read-rows.ts'
import { dropTaken, notePart, saveLinks, saveTopic } from '../notes/note-rows.postgres.ts'
import { lowestSequences, type NewEvent, storedIds, storeEvents } from '../events/event-rows.postgres.ts'
import { lookTogether, writeTogether } from '../server/statement-parts.ts'
import { saveSlice } from '../snapshots/snapshot-store.postgres.ts'

/**
 * `CommitStore.commit`, inside the caller's write transaction: what is known of the batch is loaded by one statement, what comes
 * of it is written by another, and its events by a third, however many records there are, because each statement is a round trip.
 * First holds the accounts, because other workers write at the same time; the log, which all accounts share, comes last.
 */
export async function commitBatch(db: Database, tx: Transaction, batch: ReadBatch): Promise<void> {
  const { account, changes, deliveries, events, provenance } = batch
  refuseStray(batch)
  const sequences = await lockAccounts(tx, accountsOf(batch))
  const documents = new DocumentWriter(db)
  const page = pageIn(batch)
  const answer = readAnswerOf(batch, page)
  const known = await lookTogether(tx, {
    page: answeredPage(account, page),
    members: membersOf(account, page),
    reads: wantedReads(account, answer, page),
    records: BatchRecords.look(batch),
    events: storedIds(events),
    dates: knownDates(events),
    exceptions: openExceptions(batch),
    refs: documents.refsFor(documentsIn(batch)),
  })
  const records = new BatchRecords(known.records)
  records.hold(documents)
  const fresh = freshEvents(batch, new Set(known.events.map(({ id }) => id)))
  const numbered = numberEvents(fresh, sequences, await lowestSequences(tx, fresh))
  const news = numbered.events.map((each) => withDocuments(each, documents))
  refuseOvertaken(account, page, known.page[0])
  const placed = new PlacedAnswer(answer, known.page[0], known.members[0]?.ids ?? [])
  const reads = placed.after(known.reads.map(knownRead))
  records.take(batch, documents, { rang: rangAt(fresh), shown: shownAt(events) })
  await documents.place(tx, known.refs)
  const list = changes.find((change) => change.kind === 'list')
  await writeTogether(tx, {
    documents: documents.added(),
    records: records.written,
    page: pageRow(account, page, reads.page),
    doubts: doubtedPages(reads.doubted),
    reads: readRows(account, reads),
    prints: printRows(account, reads),
    sizes: grownLists(account, reads),
    list: list === undefined ? null : listRow({ account, resource: list.resource }, list.state),
    dates: toldDateRows(fresh, known.dates),
    notified: notifiedDateRows(account, batch.dates),
    notes: notePart(account, batch.notes ?? []),
    exceptions: exceptionRows(batch, fresh, known.exceptions),
  })
  for (const change of changes) await applyChange(tx, account, change)
  if (news.length === 0) await documents.settle(tx)
  else await storeEvents(tx, { events: news, sequences: numbered.last, deliveries, provenance }, documents)
}

function accountsOf({ account, events, records }: ReadBatch): readonly string[] {
  return [
    account,
    ...records.map(({ state }) => accountOf(account, state.resource)),
    ...events.map((event) => event.account ?? NO_ACCOUNT),
  ]
}

function documentsIn({ events, records }: ReadBatch) {
  return [
    ...records.flatMap(({ state }) => [state.seen, state.reported]),
    ...events.flatMap(({ before, object }) => [object, before]),
  ]
}

function withDocuments(
  { event, sequence, storedAt }: FreshEvent & { readonly sequence: number },
  documents: DocumentWriter,
): NewEvent {
  const [object, before] = [documents.slotOf(event.object, event.before), documents.slotOf(event.before)]
  documents.uses.add(object, before)
  return { event: { ...event, sequence }, storedAt, object, before }
}

/** What goes by statements of its own: most batches have none of it. */
async function applyChange(tx: Transaction, account: string, change: BatchChange): Promise<void> {
  switch (change.kind) {
    case 'page':
    case 'ahead':
    case 'list':
    case 'unchanged':
    case 'met':
    case 'missed':
      return
    case 'hold':
      return await saveHold(tx, account, change)
    case 'unproved':
      return await saveUnproved(tx, account, change)
    case 'topic':
      return await saveTopic(tx, account, change)
    case 'taken':
      return await dropTaken(tx, account, change)
    case 'links':
      return await saveLinks(tx, account, change)
    case 'arrivals':
      return await saveArrivals(tx, account, change)
    case 'expectations':
      return await saveExpectations(tx, account, change)
    case 'requests':
      return await countRequests(tx, account, change.count)
    case 'quarantine':
      return await saveQuarantine(tx, account, change)
    case 'reminded':
      return await saveSteps(tx, change)
    case 'snapshot':
      return await saveSlice(tx, change)
    case 'remind':
      return await remindAnew(tx, account, change)
    case 'learnt':
      return await saveLearnt(tx, account, change.learnt)
    case 'churning':
      return await saveChurning(tx, { account, resource: change.resource }, change.paths)
    case 'audit':
      return await saveAudit(tx, { account, resource: change.resource }, change.audit)
    case 'lying_validators':
      return await saveLying(tx, { account, resource: change.resource })
    case 'pause':
      return await savePause(tx, account, change.pause)
    case 'ceiling':
      return await saveCeiling(tx, account, change.ceiling)
    default:
      change satisfies never
  }
}
