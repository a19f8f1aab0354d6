import { decideRuntime, type EndpointSetting } from '../../ledger/runtime-subscriptions.ts'
import type { RuntimeChange, RuntimeRefusal } from '../../model/runtime-subscription.ts'
import type { Connection } from '../file/connection.ts'
import { Query } from '../file/query.ts'
import { unsettle } from '../endpoints/endpoint-store.sqlite.ts'
import { configureEndpoint } from '../endpoints/sync-endpoints.sqlite.ts'
import type { RuntimeStore, RuntimeSurvey } from '../ports/runtime-port.ts'
import { forgetNotifiedDates } from '../records/date-rows.sqlite.ts'
import { beginRuns, endRun } from '../snapshots/run-rows.sqlite.ts'
import { TABLES } from '../tables/tables.ts'
import {
  BEGINS,
  BEGUN,
  factsOf,
  type FactsRow,
  forgetting,
  REVISION,
  type RuntimeRow,
  SURVEY,
  toFacts,
} from './runtime-rows.ts'

const ROWS = new Query<RuntimeRow>(SURVEY)
const LAST = new Query<{ revision: number }>(REVISION)
const FACTS = new Query<FactsRow>(factsOf('CAST(:name AS TEXT)'))
const COUNT = 'UPDATE runtime_revision SET revision = ?'
const SAVE = TABLES.runtime_subscriptions.upsert
const FORGET = forgetting('= ?')
const BEGIN = `UPDATE endpoints SET ${BEGUN} WHERE subscription = :subscription AND ${BEGINS}`

/** Nothing is held before it is changed, because SQLite has one writer at a time. */
export function runtimeStore(db: Connection): RuntimeStore {
  return {
    runtimeSurvey: (since) => db.read(() => survey(db, since)),
    changeRuntime: (change) => db.write(() => changeRuntime(db, change)),
  }
}

function survey(db: Connection, since?: number): RuntimeSurvey | null {
  const revision = db.one(LAST)?.revision ?? 0
  return revision === since ? null : { revision, subscriptions: db.all(ROWS) }
}

function changeRuntime(db: Connection, change: RuntimeChange): RuntimeRefusal | null {
  const revision = (db.one(LAST)?.revision ?? 0) + 1
  const nameFacts = (name: string) => toFacts(db.one(FACTS, { name }) ?? NOTHING)
  const decision = decideRuntime({ subscriptions: db.all(ROWS), nameFacts }, change, revision)
  if ('refusal' in decision) return decision.refusal
  for (const subscription of decision.subscriptions) db.run(SAVE, { ...subscription })
  for (const name of decision.forgotten) for (const statement of FORGET) db.run(statement, name)
  for (const endpoint of decision.endpoints) setEndpoint(db, endpoint, change.at)
  if (decision.subscriptions.length > 0 || decision.forgotten.length > 0) db.run(COUNT, revision)
  return null
}

const NOTHING: FactsRow = { isOfFile: 0, hasEndpoint: 0, hasRows: 0, hasWaiting: 0 }

function setEndpoint(db: Connection, endpoint: EndpointSetting, at: number): void {
  const { begins, forgetsDates, run, subscription } = endpoint
  configureEndpoint(db, endpoint)
  if (begins !== null) db.run(BEGIN, { subscription, begins })
  if (forgetsDates) forgetNotifiedDates(db, [subscription])
  if (run === 'begins') beginRuns(db, [subscription], at)
  if (run === 'ends') endRun(db, { subscription, how: 'cancelled', at })
  unsettle(db, subscription, at)
}
