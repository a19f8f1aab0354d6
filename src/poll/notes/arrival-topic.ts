import { field, type JsonObject } from '../../model/json.ts'
import type { Note } from '../../model/note.ts'
import { trackingStatus } from '../../model/shipment.ts'
import type { RecordWrite } from '../../store/ports/commit-port.ts'
import type { AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import type { DerivedTopic } from './note-loop.ts'
import { noteNumber } from './notebook.ts'

const SETTINGS = 'arrivals'

/** Which shipments arrived, and how well the dates that were told of it were kept: it rings nothing. */
export class ArrivalTopic implements DerivedTopic {
  readonly topic = 'arrivals'
  readonly resources = ['shipment'] as const
  readonly subjects = ['shipment'] as const
  readonly settings = SETTINGS
  readonly #context: AccountContext

  constructor(context: AccountContext) {
    this.#context = context
  }

  /** Only what has arrived, or did: of a shipment that is shown for the first time nothing was told before. */
  moves({ before, state }: RecordWrite): boolean {
    if (before === null || before.reported === state.reported) return false
    const statuses = [before.reported, state.reported].map((shipment) => trackingStatus(shipment, 'arrival'))
    return statuses.includes('actual') && isOtherArrival(before.reported, state.reported)
  }

  explains(): boolean {
    return false
  }

  async derive(notes: readonly Note[]): Promise<News> {
    const { account, clock, committer } = this.#context
    const ids = notes.map(({ id }) => id)
    const shipments = [...(await committer.store.records(account.name, 'shipment', ids)).values()]
    return { changes: [{ kind: 'arrivals', shipments, at: clock.now() }] }
  }
}

/** What an arrival is made of: a carrier or a port that is another counts elsewhere. */
const LOOKED_AT = [
  ['main_tracking_dates', 'arrival_date'],
  ['booking_information', 'carrier'],
  ['route', 'origin_port_unlocode'],
  ['route', 'destination_port_unlocode'],
] as const

function isOtherArrival(before: JsonObject | null, after: JsonObject | null): boolean {
  return LOOKED_AT.some(([part, name]) => {
    const [one, other] = [before, after].map((shipment) => field(field(shipment, part), name))
    return one !== other && JSON.stringify(one) !== JSON.stringify(other)
  })
}

/**
 * Before anything is read: of shipments that were known before arrivals were kept each is looked at, and of a list that is yet to be read
 * none, because nothing was told of them.
 */
export async function beginArrivals({ account, clock, committer }: AccountContext): Promise<void> {
  const { store } = committer
  if (account.watch.shipments === undefined) return
  const { settings } = await store.noted(account.name, 'arrivals', 1)
  if (settings === SETTINGS) return
  const { records } = await store.listState(account.name, 'shipment')
  const resources = records > 0 ? (['shipment'] as const) : []
  const number = noteNumber(clock.now())
  await committer.commit(account.name, async () => ({
    changes: [{ kind: 'topic', topic: 'arrivals', settings: SETTINGS, resources, number }],
  }))
}
