import type { KeptException } from '../../../model/exception.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import type { LivingPlace } from '../../../model/living-message.ts'
import type { ExceptionStore } from '../../../store/ports/exception-port.ts'

/** The most exceptions of one subject that are looked at: few are open. */
const MOST = 50

interface Asked extends Pick<LivingPlace, 'account' | 'shipment'> {
  /** What the message of the shipment tells. */
  readonly events: readonly ShipbellEvent[]
  readonly now: number
}

/** Exceptions of a shipment, and of what its message tells of, that are not closed. */
export async function openAmong(
  store: Pick<ExceptionStore, 'exceptionPage'>,
  { account, events, now, shipment }: Asked,
): Promise<readonly KeptException[]> {
  const subjects = new Map([[keyOf('shipment', shipment), shipment]])
  for (const { subject } of events)
    subjects.set(keyOf(subject.resource === 'tracking' ? 'shipment' : subject.resource, subject.id), subject.id)
  const pages = [...subjects].map(async ([key, subjectId]) => {
    const states = ['open', 'acknowledged'] as const
    const { items } = await store.exceptionPage({ now, account, subjectId, states, limit: MOST })
    return items.filter((each) => keyOf(each.resource, each.subjectId) === key)
  })
  return (await Promise.all(pages)).flat()
}

function keyOf(resource: string, id: string): string {
  return JSON.stringify([resource, id])
}
