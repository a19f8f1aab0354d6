import { decideRuntime, type EndpointSetting } from '../../ledger/runtime-subscriptions.ts'
import type { NameFacts, RuntimeChange, RuntimeRefusal } from '../../model/runtime-subscription.ts'
import { lockEndpoints } from '../endpoints/endpoint-record.postgres.ts'
import { configureEndpoint, forgetDates, unsettle } from '../endpoints/sync-endpoints.postgres.ts'
import type { RuntimeStore, RuntimeSurvey } from '../ports/runtime-port.ts'
import type { Database, Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { jsonRows } from '../server/statement-parts.ts'
import { beginRuns, endRun } from '../snapshots/run-rows.postgres.ts'
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

const TABLE = TABLES.runtime_subscriptions

const ROWS = new Query<RuntimeRow>(SURVEY)
const LAST = Query.frequent<{ revision: number }>(REVISION)
const HOLD = new Query<{ revision: number }>(`${REVISION} FOR UPDATE`)
const FACTS = new Query<FactsRow & { name: string }>(`
  SELECT asked.name, facts.* FROM unnest(:names::text[]) AS asked (name) CROSS JOIN LATERAL (${factsOf('asked.name')}) AS facts`)
const HAD = new Query<{ subscription: string }>(
  'SELECT subscription FROM endpoints WHERE subscription = ANY(:names::text[])',
)
const COUNT = new Query('UPDATE runtime_revision SET revision = :revision')
const SAVE = new Query(`${TABLE.insertAll()} ${TABLE.instead()}`)
const FORGET = forgetting('= ANY(:names::text[])').map((statement) => new Query(statement))
const BEGIN = new Query(`UPDATE endpoints SET ${BEGUN} WHERE subscription = :subscription AND ${BEGINS}`)

/** One change at a time: the number of the last one is held, because several workers may make some. */
export function runtimeStore(db: Database): RuntimeStore {
  return {
    runtimeSurvey: async (since) => await survey(db, since),
    changeRuntime: async (change) => await db.write(async (tx) => await changeRuntime(tx, change)),
  }
}

async function survey(db: Database, since?: number): Promise<RuntimeSurvey | null> {
  if ((await db.one(LAST))?.revision === since) return null
  return await db.read(async (tx) => {
    const revision = (await tx.one(LAST))?.revision ?? 0
    return { revision, subscriptions: await tx.all(ROWS) }
  })
}

async function changeRuntime(tx: Transaction, change: RuntimeChange): Promise<RuntimeRefusal | null> {
  const revision = ((await tx.one(HOLD))?.revision ?? 0) + 1
  const subscriptions = await tx.all(ROWS)
  const names = 'name' in change ? [change.name] : change.kind === 'forget' ? subscriptions.map(({ name }) => name) : []
  // Before they are held, which makes those that are missing.
  const had = new Set((await tx.all(HAD, { names })).map(({ subscription }) => subscription))
  await lockEndpoints(tx, 'name' in change ? names : [])
  const facts = new Map(
    (await factsAbout(tx, names)).map((row) => [row.name, { ...toFacts(row), hasEndpoint: had.has(row.name) }]),
  )
  const nameFacts = (name: string): NameFacts => facts.get(name) ?? NOTHING
  const decision = decideRuntime({ subscriptions, nameFacts }, change, revision)
  if ('refusal' in decision) return decision.refusal
  if (decision.subscriptions.length > 0) await tx.run(SAVE, { rows: jsonRows(decision.subscriptions.map(rowOf)) })
  if (decision.forgotten.length > 0)
    for (const statement of FORGET) await tx.run(statement, { names: [...decision.forgotten] })
  await lockEndpoints(
    tx,
    decision.endpoints.map(({ subscription }) => subscription),
  )
  for (const endpoint of decision.endpoints) await setEndpoint(tx, endpoint, change.at)
  if (decision.subscriptions.length > 0 || decision.forgotten.length > 0) await tx.run(COUNT, { revision })
  return null
}

const NOTHING: NameFacts = { isOfFile: false, hasEndpoint: false, hasRows: false, hasWaiting: false }

async function factsAbout(
  tx: Transaction,
  names: readonly string[],
): Promise<readonly (FactsRow & { name: string })[]> {
  return names.length === 0 ? [] : await tx.all(FACTS, { names: [...names] })
}

function rowOf(subscription: RuntimeRow) {
  return { ...subscription }
}

async function setEndpoint(tx: Transaction, endpoint: EndpointSetting, at: number): Promise<void> {
  const { begins, forgetsDates, run, subscription } = endpoint
  await configureEndpoint(tx, endpoint)
  if (begins !== null) await tx.run(BEGIN, { subscription, begins })
  if (forgetsDates) await forgetDates(tx, [subscription])
  if (run === 'begins') await beginRuns(tx, [subscription], at)
  if (run === 'ends') await endRun(tx, { subscription, how: 'cancelled', at })
  await unsettle(tx, subscription, at)
}
