import { rangAt, shownAt } from '../../ledger/events.ts'
import { PlacedAnswer } from '../../ledger/reads.ts'
import type { BatchChange, ReadBatch } from '../ports/commit-port.ts'
import { registerAccount, saveCeiling, saveLearnt, savePause, saveQuarantine } from '../accounts/accounts.sqlite.ts'
import { appendEvents, ROWS_OF_A_TURN } from '../events/event-rows.sqlite.ts'
import { saveExceptions } from '../exceptions/exception-rows.sqlite.ts'
import { saveArrivals } from '../arrivals/arrival-rows.sqlite.ts'
import { countRequests } from '../accounts/request-counts.sqlite.ts'
import { BodyWriter } from '../documents/documents.sqlite.ts'
import type { Connection } from '../file/connection.ts'
import { saveAudit, saveChurning, saveList, saveLying } from '../lists/list-rows.sqlite.ts'
import { remindAnew, saveSteps } from '../exceptions/reminder-rows.sqlite.ts'
import { saveHold, saveUnproved } from '../lists/hold-rows.sqlite.ts'
import { saveExpectations } from '../expectations/expectation-rows.sqlite.ts'
import { saveNotifiedDates } from '../records/date-rows.sqlite.ts'
import { saveRecord } from '../records/record-rows.sqlite.ts'
import { doubtPages, loadAnswered, loadReads, savePage, saveReads } from '../lists/read-rows.sqlite.ts'
import { dropTaken, saveLinks, saveNotes, saveTopic } from '../notes/note-rows.sqlite.ts'
import { pageIn, readAnswerOf, refuseOvertaken } from '../lists/read-rows.ts'
import { saveSlice } from '../snapshots/snapshot-store.sqlite.ts'

/**
 * `CommitStore.commit`: one transaction, over many turns where thousands hear what rings. Row by row, because a statement of SQLite is no
 * round trip; nothing is held, because SQLite has one writer at a time.
 */
export async function commitBatch(db: Connection, batch: ReadBatch): Promise<void> {
  await db.writeInTurns(() => commitSteps(db, batch), batch.deliveries.length > ROWS_OF_A_TURN)
}

function* commitSteps(db: Connection, batch: ReadBatch): Generator<undefined, void> {
  const { account } = batch
  registerAccount(db, account)
  const write = pageIn(batch)
  const { members, page } = loadAnswered(db, account, write)
  refuseOvertaken(account, write, page)
  const placed = new PlacedAnswer(readAnswerOf(batch, write), page, members)
  const reads = placed.after(loadReads(db, account, placed.wanted))
  const bodies = new BodyWriter(db)
  const fresh = yield* appendEvents(db, { ...batch, bodies })
  const writing = { account, bodies, rang: rangAt(fresh), shown: shownAt(batch.events) }
  for (const each of batch.records) saveRecord(db, each, writing)
  saveReads(db, account, { reads, page: savePage(db, account, { after: reads.page, write }) })
  doubtPages(db, reads.doubted)
  if (batch.notes !== undefined) saveNotes(db, account, batch.notes)
  for (const change of batch.changes) applyChange(db, change, account)
  saveNotifiedDates(db, account, batch.dates)
  saveExceptions(db, batch, fresh)
  bodies.uses.settle(db)
}

function applyChange(db: Connection, change: BatchChange, account: string): void {
  switch (change.kind) {
    case 'page':
    case 'ahead':
    case 'unchanged':
    case 'met':
    case 'missed':
      return
    case 'list':
      return saveList(db, { account, ...change })
    case 'hold':
      return saveHold(db, { account, ...change })
    case 'unproved':
      return saveUnproved(db, account, change)
    case 'topic':
      return saveTopic(db, account, change)
    case 'taken':
      return dropTaken(db, account, change)
    case 'links':
      return saveLinks(db, account, change)
    case 'arrivals':
      return saveArrivals(db, account, change)
    case 'expectations':
      return saveExpectations(db, account, change)
    case 'requests':
      return countRequests(db, account, change.count)
    case 'quarantine':
      return saveQuarantine(db, account, change)
    case 'reminded':
      return saveSteps(db, change)
    case 'snapshot':
      return saveSlice(db, change)
    case 'remind':
      return remindAnew(db, account, change)
    case 'learnt':
      return saveLearnt(db, account, change.learnt)
    case 'churning':
      return saveChurning(db, { account, resource: change.resource }, change.paths)
    case 'audit':
      return saveAudit(db, { account, resource: change.resource }, change.audit)
    case 'lying_validators':
      return saveLying(db, { account, resource: change.resource })
    case 'pause':
      return savePause(db, account, change.pause)
    case 'ceiling':
      return saveCeiling(db, account, change.ceiling)
    default:
      change satisfies never
  }
}
