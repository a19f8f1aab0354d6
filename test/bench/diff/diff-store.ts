import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { detectChange } from '../../../src/detect/detect-change.ts'
import type { EventDraft } from '../../../src/model/event.ts'
import { field, isJsonObject, textField, type Json, type JsonObject } from '../../../src/model/json.ts'
import type { RecordState } from '../../../src/model/record-state.ts'
import { summariseShipment } from '../../../src/model/shipment.ts'
import { openStore } from '../../../src/store/file/open-store.ts'
import { batch } from '../../store/samples.ts'
import { fingerprintOf } from '../desk/desk-size.ts'
import { worldShipment } from '../world-shipment.ts'
import { tileLog } from './tile-log.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const START = Date.UTC(2026, 10, 1)
const SPAN = 27 * DAY
const EVENTS_OF_EACH = 20
/** Longer logs are made of this one. */
const DETECTED = 100_000
const AT_ONCE = 200

const HERE = fileURLToPath(new URL('.', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../../src/store/file/migrations/', import.meta.url))

/** A store with a log of so many events of shipments, each change of another one. It is kept in the temporary folder. */
export async function diffStore(events: number): Promise<string> {
  const made = [...sourcesIn(HERE, 'diff-store.ts', 'tile-log.ts'), ...sourcesIn(MIGRATIONS)]
  const folder = path.join(tmpdir(), `shipbell-bench-diff-${fingerprintOf([String(events), ...made])}`)
  const kept = path.join(folder, 'log.db')
  if (existsSync(kept)) return kept
  mkdirSync(folder, { recursive: true })
  const fresh = path.join(folder, `${process.pid}.db`)
  await detectLog(fresh, Math.min(events, DETECTED))
  if (events > DETECTED) tileLog(fresh, events / DETECTED)
  renameSync(fresh, kept)
  return kept
}

function sourcesIn(folder: string, ...names: readonly string[]): readonly string[] {
  const all = names.length === 0 ? readdirSync(folder) : names
  return all.map((name) => readFileSync(path.join(folder, name), 'utf8'))
}

async function detectLog(file: string, events: number): Promise<void> {
  await using store = openStore({ path: file })
  const states = Array.from({ length: events / EVENTS_OF_EACH }, (_, nth) => firstState(nth))
  let pending: EventDraft[] = []
  let made = 0
  for (let round = 1; made < events; round += 1) {
    for (const [nth, state] of states.entries()) {
      const at = Math.floor(START + HOUR + (made / events) * SPAN)
      const detected = detectChange({
        ...surroundings(state.id, state.seen ?? {}, at),
        before: state,
        after: changed(state.seen ?? {}, nth + round, round),
        read: { sentAt: at - 300, answeredAt: at },
        mode: 'ring',
        absentAt: null,
      })
      states[nth] = detected.state
      pending.push(...detected.events)
      made += detected.events.length
      if (pending.length >= AT_ONCE || made >= events) {
        await store.commit(batch({ events: pending, deliveries: [] }))
        pending = []
      }
      if (made >= events) break
    }
  }
}

function firstState(nth: number): RecordState {
  const shipment = {
    ...worldShipment(nth),
    main_tracking_dates: { arrival_date: dated(START + 40 * DAY + nth * HOUR) },
  }
  const id = textField(shipment, 'platform_shipment_id') ?? ''
  const read = { sentAt: START - 300, answeredAt: START }
  const about = surroundings(id, shipment, START)
  return detectChange({ ...about, before: null, after: shipment, read, mode: 'silent', absentAt: null }).state
}

function surroundings(id: string, shipment: JsonObject, now: number) {
  return {
    account: Number(id.at(-1)) % 2 === 1 ? 'acme' : 'beta',
    resource: 'shipment' as const,
    id,
    ignore: [],
    absorbed: [],
    publicUrl: null,
    calendar: { timeZone: 'UTC', dueSoonMs: [], milestoneGraceMs: 400 * DAY, now },
    shipment: summariseShipment(id, shipment),
  }
}

function dated(at: number): JsonObject {
  return { date: new Date(at).toISOString(), status: 'estimated' }
}

/** Two changes of five move the arrival; the others are of a text, goods, the forwarder or the way. */
function changed(shipment: JsonObject, turn: number, round: number): JsonObject {
  const dates = field(shipment, 'main_tracking_dates')
  const arrival = Date.parse(textField(field(dates, 'arrival_date'), 'date') ?? '')
  const moved = {
    main_tracking_dates: { ...members(dates), arrival_date: dated(arrival + ((turn % 37) - 15.5) * HOUR) },
  }
  const texts: readonly JsonObject[] = [
    { specific_instructions: `Ramp ${round} is closed on Fridays after three.` },
    {
      transported_goods: {
        ...members(field(shipment, 'transported_goods')),
        goods_description: `Garments, lot ${round}`,
      },
    },
    { main_forwarder: `Forwarder ${round}` },
    { route: { ...members(field(shipment, 'route')), delivery_location_id: String(round) } },
  ]
  return { ...shipment, ...(turn % 5 < 2 ? moved : texts[turn % texts.length]) }
}

function members(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}
