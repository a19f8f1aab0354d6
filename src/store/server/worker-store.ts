import { ShipbellError } from '../../errors.ts'
import type {
  Attempted,
  Joined,
  Lease,
  LiveWorker,
  NewWorker,
  TakenLease,
  TakeRequest,
  UnitState,
  WorkerRenewal,
  WorkerStore,
  WorkerSurvey,
} from '../ports/worker-port.ts'
import { followLife } from '../endpoints/series-life.postgres.ts'
import type { Database, WriteOptions } from './database.ts'
import { PAST } from './judge-server.ts'
import { Query } from './query.ts'

const JOIN = new Query<Joined>(`
  INSERT INTO workers (id, host, pid, command, version, port, stalled, config, settings, loaded_at, since, ttl_ms, expires_at)
  SELECT :id, :host, :pid, :command, :version, :port, :stalled, :config, :settings, coalesce(:loadedAt, now), now, :ttlMs, now + :ttlMs
  FROM (SELECT database_time() AS now) AS clock
  RETURNING since AS now, loaded_at AS "loadedAt"`)
const RENEW = new Query<Joined>(`
  UPDATE workers SET expires_at = database_time() + :ttlMs, ttl_ms = :ttlMs, port = :port, stalled = :stalled,
    config = coalesce(:config, config), settings = coalesce(:settings, settings),
    loaded_at = CASE WHEN :config::text IS NULL THEN loaded_at ELSE database_time() END
  WHERE id = :id AND NOT has_expired(workers)
  RETURNING database_time() AS now, loaded_at AS "loadedAt"`)
const GIVE_BACK_ALL = new Query('UPDATE leases SET worker = NULL, given_back = true WHERE worker = :id')
const LEAVE = new Query('DELETE FROM workers WHERE id = :id')

interface SurveyRow {
  readonly now: number
  readonly past: string
  readonly inForce: string | null
  readonly workers: readonly (LiveWorker & { readonly expired: boolean })[]
  readonly units: readonly (Omit<UnitState, 'accounts'> & { readonly accounts: string })[]
}

const SURVEY = new Query<SurveyRow>(`
  SELECT database_time() AS now, ${PAST} AS past, (SELECT config FROM in_force) AS "inForce",
    (SELECT coalesce(json_agg(each ORDER BY each.since, each.id), '[]') FROM (
      SELECT id, host, pid, command, version, port, stalled, config, loaded_at AS "loadedAt", since, has_expired(workers) AS expired
      FROM workers) AS each) AS workers,
    (SELECT coalesce(json_agg(each ORDER BY each.unit), '[]') FROM (SELECT unit, accounts, worker, epoch FROM leases) AS each) AS units`)

// A renewal that is under way is not overtaken: its row is locked, or is looked at again once it was.
const BURY = new Query<{ id: string }>(`
  DELETE FROM workers WHERE id IN (
    SELECT id FROM workers WHERE has_expired(workers) FOR UPDATE SKIP LOCKED)
  RETURNING id`)

const KNOW = new Query(`
  INSERT INTO leases (unit) SELECT unit FROM unnest(:units::text[]) AS unit
  WHERE NOT EXISTS (SELECT 1 FROM leases WHERE leases.unit = unit.unit) ORDER BY unit ON CONFLICT DO NOTHING`)
const TAKE = new Query<{ unit: string; epoch: number; past: string; isTakeover: boolean }>(`
  WITH me AS (SELECT id FROM workers WHERE id = :worker AND NOT has_expired(workers) FOR KEY SHARE),
  free AS (
    SELECT leases.unit, NOT given_back AS was_lost, accounts.names
    FROM leases JOIN unnest(:units::text[], :accounts::text[]) WITH ORDINALITY AS accounts (unit, names, place) USING (unit)
    WHERE worker IS NULL AND EXISTS (SELECT 1 FROM me)
    ORDER BY place LIMIT :most FOR UPDATE OF leases SKIP LOCKED)
  UPDATE leases SET worker = me.id, accounts = free.names, epoch = nextval('lease_epochs'), given_back = false
  FROM free, me WHERE leases.unit = free.unit
  RETURNING leases.unit, leases.epoch, free.was_lost AS "isTakeover", ${PAST} AS past`)
const GIVE_BACK = new Query(`
  UPDATE leases SET worker = NULL, given_back = true
  FROM unnest(:units::text[], :workers::text[], :epochs::bigint[]) AS ended (unit, worker, epoch)
  WHERE leases.unit = ended.unit AND leases.worker = ended.worker AND leases.epoch = ended.epoch`)
const FORGET = new Query('DELETE FROM leases WHERE unit = ANY(:units::text[]) AND worker IS NULL')
const SETTINGS = new Query<{ settings: string }>('SELECT settings FROM workers WHERE id = :id')

/**
 * A crash of the database may forget the last of what is written of workers and leases: they begin anew then. So none of it waits for a
 * standby that is away, for which what is read has to wait.
 */
const LIGHTLY: WriteOptions = { durable: false }

/** But for `under`, which is polling. */
export function workerStore(db: Database): Omit<WorkerStore, 'under'> {
  let known: string | null = null
  // Nobody commits what it reads before it knows the past that it is in.
  const followed = async <T>(found: T, pasts: readonly string[]): Promise<T> => {
    const [past = known] = pasts
    if (past !== known) await followLife(db)
    known = past
    return found
  }
  return {
    join: async (worker, ttlMs) => await join(db, worker, ttlMs),
    renew: async (worker, ttlMs) => await renew(db, worker, ttlMs),
    leave: async (id) =>
      await db.write(async (tx) => {
        await tx.run(GIVE_BACK_ALL, { id })
        await tx.run(LEAVE, { id })
      }, LIGHTLY),
    survey: async (how) => {
      const found = await survey(db, how?.bury === true)
      return await followed(found, [found.past])
    },
    take: async (worker, request) => {
      const taken = await take(db, worker, request)
      return await followed(
        taken,
        taken.map(({ past }) => past),
      )
    },
    giveBack: async (leases) => await giveBack(db, leases),
    forget: async (units) => await db.write(async (tx) => void (await tx.run(FORGET, { units }))),
    attemptsSince: async (before) => await attemptsSince(db, before),
    settingsOf: async (id) => {
      const found = await db.one(SETTINGS, { id })
      return found === undefined ? null : JSON.parse(found.settings)
    },
  }
}

async function join(db: Database, worker: NewWorker, ttlMs: number): Promise<Joined> {
  const settings = JSON.stringify(worker.settings)
  const joined = await db.write(async (tx) => await tx.one(JOIN, { ...worker, settings, ttlMs }), LIGHTLY)
  if (joined === undefined) throw new ShipbellError('internal', `The worker ${worker.id} could not be stored.`)
  return joined
}

async function renew(
  db: Database,
  { id, loaded, port, stalled = null }: WorkerRenewal,
  ttlMs: number,
): Promise<Joined | null> {
  const settings = loaded === undefined ? null : JSON.stringify(loaded.settings)
  const values = { id, port, stalled, ttlMs, config: loaded?.config ?? null, settings }
  return (await db.write(async (tx) => await tx.one(RENEW, values), LIGHTLY)) ?? null
}

async function survey(db: Database, isToBury: boolean): Promise<WorkerSurvey> {
  const found = await surveyed(db)
  if (!isToBury || !found.workers.some(({ expired }) => expired)) return toSurvey(found, [])
  const buried = await db.write(async (tx) => (await tx.all(BURY)).map(({ id }) => id), LIGHTLY)
  return toSurvey(buried.length > 0 ? await surveyed(db) : found, buried)
}

async function surveyed(db: Database): Promise<SurveyRow> {
  const found = await db.one(SURVEY)
  if (found === undefined) throw new ShipbellError('internal', 'The workers could not be counted.')
  return found
}

function toSurvey({ inForce, now, past, units, workers }: SurveyRow, buried: readonly string[]): WorkerSurvey {
  return {
    now,
    past,
    inForce,
    workers: workers.filter(({ expired }) => !expired).map(({ expired: _expired, ...worker }) => worker),
    units: units.map(({ accounts, ...unit }): UnitState => ({ ...unit, accounts: JSON.parse(accounts) })),
    buried,
  }
}

async function take(db: Database, worker: string, { most, units }: TakeRequest): Promise<readonly TakenLease[]> {
  if (units.length === 0 || most <= 0) return []
  const names = units.map(({ unit }) => unit)
  const accounts = units.map((each) => JSON.stringify(each.accounts))
  const taken = await db.write(async (tx) => {
    await tx.run(KNOW, { units: names })
    return await tx.all(TAKE, { worker, units: names, accounts, most })
  }, LIGHTLY)
  return taken.map((each) => ({ ...each, worker }))
}

async function giveBack(db: Database, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return
  const values = {
    units: leases.map(({ unit }) => unit),
    workers: leases.map(({ worker }) => worker),
    epochs: leases.map(({ epoch }) => epoch),
  }
  await db.write(async (tx) => await tx.run(GIVE_BACK, values), LIGHTLY)
}

/** Attempts that take their numbers at once are stored one after the other: each look begins so many before the last one's end. */
const OVERLAP = 200
const MOST_ATTEMPTS = 1_000

// Numbers end below those of before in a database that went back: it begins at the end there is.
const SINCE = new Query<{ ref: number; at: number; delivery: string }>(`
  SELECT attempts.ref, attempts.at, deliveries.id AS delivery FROM attempts JOIN deliveries ON deliveries.ref = attempts.delivery
  WHERE attempts.ref > least(:last, (SELECT coalesce(max(ref), 0) FROM attempts)) - ${OVERLAP}
  ORDER BY attempts.ref DESC LIMIT :most`)

async function attemptsSince(db: Database, before: Attempted | null): Promise<Attempted> {
  const rows = await db.all(SINCE, { last: before?.last ?? Number.MAX_SAFE_INTEGER, most: MOST_ATTEMPTS })
  const named = rows.map(({ at, delivery, ref }) => ({ delivery, name: `${ref} ${delivery} ${at}` }))
  const seen = before?.seen ?? new Set(named.map(({ name }) => name))
  const fresh = named.filter(({ name }) => !seen.has(name))
  return {
    last: rows[0]?.ref ?? 0,
    seen: new Set(named.map(({ name }) => name)),
    deliveries: [...new Set(fresh.map(({ delivery }) => delivery))].toReversed(),
  }
}
