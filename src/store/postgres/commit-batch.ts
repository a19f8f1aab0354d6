import { NO_ACCOUNT } from '../../model/account.ts'
import { accountOf } from '../common/record-row.ts'
import type { BatchChange, ReadBatch } from '../commit-port.ts'
import { lockAccounts } from './account-lock.ts'
import { saveCeiling, savePause } from './account-rows.ts'
import { BatchRecords } from './batch-records.ts'
import type { Database, Transaction } from './database.ts'
import { saveToldDates } from './date-rows.ts'
import { DocumentWriter } from './documents.ts'
import { freshEvents, numberEvents, rangAt } from './fresh-events.ts'
import { saveHold } from './hold-rows.ts'
import { saveLearnt } from './learnt-rows.ts'
import { saveChurning, saveList, saveLying } from './list-rows.ts'
import { saveNotifiedDates } from './notified-date-rows.ts'
import { saveReads } from './read-rows.ts'
import { saveQuarantine } from './rejection-rows.ts'
import { storeEvents } from './store-events.ts'
import { takeReads } from './take-reads.ts'

/**
 * `CommitStore.commit`, inside the caller's write transaction: what is known of the batch's records is loaded by a few statements,
 * what comes of it is written by a few more, however many records there are. First holds the accounts, so that nobody else writes
 * any of it meanwhile; the log, which all accounts share, comes last.
 */
export async function commitBatch(db: Database, tx: Transaction, batch: ReadBatch): Promise<void> {
  const sequences = await lockAccounts(tx, accountsOf(batch))
  const documents = new DocumentWriter(db)
  const records = await BatchRecords.load(tx, batch)
  records.hold(documents)
  const fresh = await freshEvents(tx, batch)
  const numbered = numberEvents(fresh, sequences, documents)
  const reads = await takeReads(tx, batch)
  records.take(batch, documents, rangAt(fresh))
  await documents.store(tx)
  await records.save(tx)
  await saveReads(tx, reads)
  for (const change of batch.changes) await applyChange(tx, batch.account, change)
  await saveNotifiedDates(tx, batch.account, batch.dates)
  await saveToldDates(tx, fresh)
  await storeEvents(tx, { ...numbered, deliveries: batch.deliveries, provenance: batch.provenance })
  await documents.settle(tx)
}

function accountsOf(batch: ReadBatch): readonly string[] {
  const { account, events, records } = batch
  return [
    account,
    ...records.map((write) => accountOf(account, write)),
    ...events.map((event) => event.account ?? NO_ACCOUNT),
  ]
}

async function applyChange(tx: Transaction, account: string, change: BatchChange): Promise<void> {
  switch (change.kind) {
    case 'page':
    case 'unchanged':
    case 'met':
    case 'missed':
      return
    case 'list':
      return await saveList(tx, { account, resource: change.resource }, change.state)
    case 'hold':
      return await saveHold(tx, account, change)
    case 'quarantine':
      return await saveQuarantine(tx, account, change)
    case 'learnt':
      return await saveLearnt(tx, account, change.learnt)
    case 'churning':
      return await saveChurning(tx, { account, resource: change.resource }, change.paths)
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
