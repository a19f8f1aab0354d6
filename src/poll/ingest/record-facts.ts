import type { CalendarSettings } from '../../detect/calendar/calendar-settings.ts'
import type { DetectInput } from '../../detect/detect-input.ts'
import { ignoredPaths, type AccountSettings } from '../../model/account.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { JsonObject } from '../../model/json.ts'
import type { ProvenancePass } from '../../model/provenance.ts'
import type { Read, RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import { shipmentIdOf, summariseShipment, type ShipmentSummary } from '../../model/shipment.ts'
import type { ListState } from '../../store/ports/list-port.ts'
import type { RecordStore } from '../../store/ports/record-port.ts'
import type { AccountContext } from '../account-context.ts'

/** What all records of a resource are judged by. */
type RecordFacts = Required<
  Pick<DetectInput, 'account' | 'resource' | 'ignore' | 'settleMs' | 'absorbed' | 'calendar' | 'publicUrl'>
>

/** `absorbed`: of the list that the resource has, or none. */
export function recordFacts(
  { account, clock, publicUrl }: Pick<AccountContext, 'account' | 'clock' | 'publicUrl'>,
  resource: RecordResource,
  absorbed: readonly string[],
): RecordFacts {
  return {
    account: account.name,
    resource,
    ignore: ignoredPaths(account, resource),
    publicUrl: publicUrl?.() ?? null,
    settleMs: account.settleMs,
    absorbed,
    calendar: accountCalendar(account, clock.calendarNow(account.name)),
  }
}

/** What an account's calendar is judged by at an instant of it. */
export function accountCalendar({ timeZone, watch }: AccountSettings, now: number): CalendarSettings {
  const { invoices, shipments } = watch
  return {
    timeZone,
    dueSoonMs: invoices?.dueSoonMs ?? [],
    milestoneGraceMs: shipments?.milestoneGraceMs ?? 0,
    now,
  }
}

/** All that the calendar goes by, but the present, as a text: equal texts have equal edges. */
export function calendarFingerprint(account: AccountSettings): string {
  return JSON.stringify(accountCalendar(account, 0))
}

/** The shipments that records belong to, by the records' ids, as far as they are known. */
export async function ownersOf(
  store: Pick<RecordStore, 'records'>,
  account: string,
  records: Iterable<readonly [id: string, record: JsonObject]>,
): Promise<ReadonlyMap<string, RecordState>> {
  const ownerIds = [...records].flatMap(([id, record]) => {
    const owner = shipmentIdOf(record, null)
    return owner === null ? [] : [[id, owner] as const]
  })
  if (ownerIds.length === 0) return new Map()
  const shipments = await store.records(account, 'shipment', [...new Set(ownerIds.map(([, owner]) => owner))])
  return new Map(
    ownerIds.flatMap(([id, owner]) => {
      const shipment = shipments.get(owner)
      return shipment === undefined ? [] : [[id, shipment] as const]
    }),
  )
}

/** What events say of the shipment; null where nothing is known of it. */
export function summaryOf(shipment: RecordState | null | undefined): ShipmentSummary | null {
  return shipment?.seen == null ? null : summariseShipment(shipment.id, shipment.seen)
}

/** Ages come in whole seconds: an answer may be almost one second older than is said. */
const AGE_STEP_MS = 1_000

/** The part of a request that decides which of two answers is the younger one. */
export function readOf({ ageMs = 0, answeredAt, sentAt }: Exchange): Read {
  if (ageMs === 0) return { sentAt, answeredAt }
  return { sentAt: sentAt - ageMs - AGE_STEP_MS, answeredAt: answeredAt - ageMs, arrivedAt: answeredAt }
}

/** The current pass over a list, as an event's explanation names it. */
export function provenancePass({ pass, passStartedAt }: ListState): ProvenancePass {
  return { number: pass, startedAt: passStartedAt }
}
