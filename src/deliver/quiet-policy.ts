import { quietAt, type QuietHours, type QuietTime } from '../model/quiet-hours.ts'
import type { WaitingDelivery } from '../store/ports/delivery-port.ts'
import type { Batch, BatchPolicy, BatchTime, FormedBatches } from './batches.ts'

interface QuietReader {
  readonly quiet: QuietHours
  /** On whose clock, by the account of an event. */
  readonly zoneOf: (account: string | null) => string
}

/** What one message about a quiet time tells at most. */
const MOST_KEPT = 1_000

/**
 * Nothing goes in quiet hours but tests and what a command asked for meanwhile: the rest is put off until they end. What rang
 * in them then goes as one message, whatever the channel makes of others. A repeat of that message stays one.
 */
export function quietPolicy(policy: BatchPolicy, reader: QuietReader): BatchPolicy {
  return {
    most: Math.max(policy.most, MOST_KEPT),
    form: (waiting, at) => {
      if (at.forced) return policy.form(waiting, at)
      const judged = waiting.map((delivery) => ({ delivery, ...judge(delivery, at, reader) }))
      const late = judged.filter(({ until }) => until !== null)
      const kept = judged.filter(({ until, night }) => until === null && night !== null)
      const others = judged.filter(({ until, night }) => until === null && night === null)
      const formed = policy.form(
        others.map(({ delivery }) => delivery),
        at,
      )
      return together(formed, { kept: kept.map(({ delivery }) => delivery), late: putOff(late) })
    },
  }
}

interface Judged {
  /** The instant until which the message is put off; null: it is not. */
  readonly until: number | null
  /** The quiet time, over by now, in which its event rang; null: in none. */
  readonly night: QuietTime | null
}

function judge(delivery: WaitingDelivery, { now }: BatchTime, { quiet, zoneOf }: QuietReader): Judged {
  const { event, rangAt } = delivery
  if (event.cause === 'test') return { until: null, night: null }
  const timeZone = zoneOf(event.account)
  const current = quietAt(now, quiet, timeZone)
  if (current !== null) return { until: isAskedIn(current, delivery) ? null : current.until, night: null }
  const night = quietAt(rangAt, quiet, timeZone)
  return { until: null, night: night !== null && night.until <= now ? night : null }
}

/** Whether a command made a delivery due in this quiet time: its own event did not, nor a retry. */
function isAskedIn({ from }: QuietTime, { attempts, dueAt, rangAt }: WaitingDelivery): boolean {
  return attempts === 0 && dueAt > rangAt && dueAt >= from
}

interface PutOff<D> {
  readonly deliveries: readonly D[]
  readonly until: number
}

/** Readers of several accounts, without a clock of their own, have several nights. */
function putOff<D extends WaitingDelivery>(
  late: readonly { readonly delivery: D; readonly until: number | null }[],
): readonly PutOff<D>[] {
  const byEnd = Map.groupBy(late, ({ until }) => until ?? 0)
  return [...byEnd].map(([until, members]) => ({ until, deliveries: members.map(({ delivery }) => delivery) }))
}

function together<D extends WaitingDelivery>(
  { batches, waitUntil, deferred = [] }: FormedBatches<D>,
  { kept, late }: { readonly kept: readonly D[]; readonly late: readonly PutOff<D>[] },
): FormedBatches<D> {
  // The deliveries of one attempt are due again at one instant.
  const groups = Map.groupBy(kept, ({ attempts, dueAt }) => (attempts === 0 ? 0 : dueAt))
  const told = [...groups.values()].flatMap(([first, ...rest]): readonly Batch<D>[] =>
    first === undefined ? [] : [[first, ...rest]],
  )
  return { batches: [...told, ...batches], waitUntil, deferred: [...deferred, ...late] }
}
