import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { Acknowledgement, KeptException } from '../model/exception.ts'
import type { ExceptionStore } from '../store/ports/exception-port.ts'

interface Parts {
  readonly clock: Pick<Clock, 'now'>
  readonly store: ExceptionStore
}

/** What somebody says of an open exception; null: they take back what was said. */
export type Said = Omit<Acknowledgement, 'at'> | null

/** Acknowledges an exception, or takes that back. Resolves to it as it is then. Throws `not_found`, and `wrong_state` for a closed one. */
export async function acknowledge({ clock, store }: Parts, id: string, said: Said): Promise<KeptException> {
  const now = clock.now()
  const done = await store.acknowledge(id, said === null ? null : { ...said, at: now })
  const { items } = await store.exceptionPage({ now, limit: 2, named: id })
  const found = items.find((each) => each.id === id)
  if (done === 'unknown' || found === undefined)
    throw new ShipbellError('not_found', `There is no exception ${JSON.stringify(id)}.`)
  if (done === 'closed')
    throw new ShipbellError('wrong_state', `The exception ${id} is closed: nobody has to see to it.`)
  return found
}
