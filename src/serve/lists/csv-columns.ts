import { totalsByCurrency, dueDateOf } from '../../model/invoice.ts'
import { field, isJsonArray, textField, type JsonObject } from '../../model/json.ts'
import { portName } from '../../model/port-names.ts'
import { parseInstant } from '../../model/instant.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import { MILESTONES, trackingInstant, trackingStatus } from '../../model/shipment.ts'
import type { RecordSummary } from '../../store/ports/record-query-port.ts'
import { zonedInstant } from '../pages/parts/time.ts'
import type { Cell } from './csv.ts'

/** A record of a list, and what is known of it whole; undefined: it went meanwhile. */
interface ListedRecord {
  readonly record: RecordSummary
  readonly state: RecordState | undefined
}

type Column = readonly [name: string, cell: (of: ListedRecord) => Cell]

/** The columns of a list for programs and spreadsheets. Instants have the offset of the one zone, calendar dates stay as they are. */
export function csvColumns(resource: RecordResource): readonly Column[] {
  return [...FIRST, ...(OWN[resource] ?? []), ...LAST]
}

const FIRST: readonly Column[] = [
  ['account', ({ record }) => record.account],
  ['id', ({ record }) => record.id],
  ['name', ({ record }) => record.name],
  ['status', ({ record }) => record.status],
]

const LAST: readonly Column[] = [
  ['removed', ({ record }) => shown(record.removedAt)],
  ['version', ({ record }) => record.version],
  ['last_read_at', ({ record }) => shown(record.lastReadAt)],
  ['last_event_at', ({ record }) => shown(record.lastEventAt)],
]

const OPEN: Column = ['open', ({ record }) => record.isOpen]
const SHIPMENT: Column = ['shipment', ({ state }) => shipmentOf(seen(state))]

const OWN: Readonly<Partial<Record<RecordResource, readonly Column[]>>> = {
  shipment: [
    OPEN,
    ['problems', ({ state }) => problemsOf(seen(state))],
    ['origin_port', ({ state }) => routeText(state, 'origin_port_unlocode')],
    ['origin_port_name', ({ state }) => portNameOf(state, 'origin_port_unlocode')],
    ['destination_port', ({ state }) => routeText(state, 'destination_port_unlocode')],
    ['destination_port_name', ({ state }) => portNameOf(state, 'destination_port_unlocode')],
    ['carrier', ({ record }) => record.carrier],
    ['mode', ({ record }) => record.kind],
    ['etd', ({ state }) => shown(trackingInstant(seen(state), 'departure'))],
    ['etd_status', ({ state }) => trackingStatus(seen(state), 'departure')],
    ['eta', ({ record }) => shown(record.etaAt)],
    ['eta_status', ({ state }) => trackingStatus(seen(state), 'arrival')],
    ['eta_first_seen', ({ state }) => shown(parseInstant(state?.memory.milestones?.arrival?.first.date))],
    ['drift_minutes', ({ record }) => record.drift],
  ],
  invoice: [
    OPEN,
    ['type', ({ record }) => record.kind],
    SHIPMENT,
    [
      'amount',
      ({ state }) =>
        amountsOf(state)
          .map(([, amount]) => amount)
          .join('; ') || null,
    ],
    [
      'currency',
      ({ state }) =>
        amountsOf(state)
          .map(([currency]) => currency)
          .join('; ') || null,
    ],
    ['due_date', ({ state }) => of(state, dueDateOf)],
  ],
  purchase_order: [
    OPEN,
    ['expected_delivery', ({ record }) => shown(record.etaAt)],
    ['expected_by', ({ state }) => state?.memory.fate?.expected?.shipmentId ?? null],
    ['desired_delivery_date', ({ state }) => textField(seen(state) ?? undefined, 'desired_delivery_date')],
    ['drift_minutes', ({ record }) => record.drift],
  ],
  document: [SHIPMENT],
}

function shown(at: number | null): string | null {
  return at === null ? null : zonedInstant(at)
}

function seen(state: RecordState | undefined): JsonObject | null {
  return state?.seen ?? null
}

function of(state: RecordState | undefined, value: (object: JsonObject) => string | null): string | null {
  const object = seen(state)
  return object === null ? null : value(object)
}

/** The milestones of a shipment that have a problem. */
function problemsOf(shipment: JsonObject | null): string | null {
  return MILESTONES.filter((milestone) => trackingStatus(shipment, milestone) === 'problem').join('; ') || null
}

function routeText(state: RecordState | undefined, name: string): string | null {
  return of(state, (shipment) => textField(field(shipment, 'route'), name))
}

function portNameOf(state: RecordState | undefined, name: string): string | null {
  const code = routeText(state, name)
  return code === null ? null : portName(code)
}

function shipmentOf(record: JsonObject | null): string | null {
  return record === null ? null : textField(record, 'platform_shipment_id')
}

function amountsOf(state: RecordState | undefined): readonly (readonly [currency: string, amount: string])[] {
  const lines = field(seen(state) ?? undefined, 'lines')
  const totals = lines !== undefined && isJsonArray(lines) ? totalsByCurrency(lines) : {}
  return Object.keys(totals).map((currency) => [currency, textField(totals, currency) ?? ''])
}
