import type { WaitingDelivery } from '../../../store/ports/delivery-port.ts'
import {
  type BatchPolicy,
  type FormedBatches,
  type BatchTime,
  type Batch,
  bySubject,
  gatheredAt,
  MOST_SINGLE,
} from '../../batches.ts'

/** Few enough that looking at them all costs nothing beside sending. What is beyond them goes into a next message. */
const MOST_WAITING = 1_000

/**
 * Gathers events about one kind of record of one account until no more of them come. Up to five records are a batch each, with what
 * is tracked of them; more of them are one batch. A failed batch is repeated without what came later. Tests wait for nothing.
 */
export function formGatheredBatches<D extends WaitingDelivery>(waiting: readonly D[], at: BatchTime): FormedBatches<D> {
  return formBatches(waiting, at, BY_KIND)
}

/** Gathers events of one account likewise, whatever they are about: all of them are one batch, or a few, whose channel sorts them out. */
function formBatchesOfAccounts<D extends WaitingDelivery>(waiting: readonly D[], at: BatchTime): FormedBatches<D> {
  return formBatches(waiting, at, BY_ACCOUNT)
}

/** Messages of `formGatheredBatches`. */
export const GATHERED_BY_KIND: BatchPolicy = { most: MOST_WAITING, form: formGatheredBatches }

/** Messages of `formBatchesOfAccounts`. */
export const GATHERED_BY_ACCOUNT: BatchPolicy = { most: MOST_WAITING, form: formBatchesOfAccounts }

/** What is gathered together, and how many records of it are a batch each. */
interface Gathering {
  readonly together: (delivery: WaitingDelivery) => string
  readonly mostSingle: number
  /** The most events of a batch. */
  readonly mostTogether: number
}

const BY_KIND: Gathering = {
  // What tracking says belongs to its shipment.
  together: ({ event: { subject } }) => (subject.resource === 'tracking' ? 'shipment' : subject.resource),
  mostSingle: MOST_SINGLE,
  mostTogether: MOST_WAITING,
}
const BY_ACCOUNT: Gathering = { together: () => '', mostSingle: 1, mostTogether: 100 }

function formBatches<D extends WaitingDelivery>(
  waiting: readonly D[],
  { now, forced }: BatchTime,
  gathering: Gathering,
): FormedBatches<D> {
  const groupOf = (delivery: WaitingDelivery): string => {
    const { event, attempts } = delivery
    return JSON.stringify([event.account, isTest(delivery) ? 'test' : gathering.together(delivery), attempts])
  }
  const groups = [...Map.groupBy(waiting, groupOf).values()].map((group) => ({ group, readyAt: readyAt(group, now) }))
  const late = forced ? [] : groups.filter((each) => each.readyAt > now)
  const ready = groups.filter((each) => !late.includes(each))
  return {
    batches: inTurn(
      ready.flatMap(({ group }) => batchesOf(group, gathering)),
      waiting,
    ),
    waitUntil: late.length === 0 ? null : Math.min(...late.map((each) => each.readyAt)),
  }
}

/** Tests, since somebody waits for them, then the oldest first. */
function inTurn<D extends WaitingDelivery>(batches: readonly Batch<D>[], waiting: readonly D[]): readonly Batch<D>[] {
  const places = new Map(waiting.map((delivery, place) => [delivery, isTest(delivery) ? -1 : place]))
  return batches.toSorted(([a], [b]) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}

function isTest({ event }: WaitingDelivery): boolean {
  return event.cause === 'test'
}

/**
 * When a group is ready: once it has been quiet for a while, or has waited long enough; at once where the clock has gone back
 * since.
 */
function readyAt(group: readonly WaitingDelivery[], now: number): number {
  if (group.some((delivery) => isTest(delivery) || delivery.attempts > 0)) return now
  const times = group.map(({ rangAt }) => rangAt)
  return Math.max(...times) > now ? now : gatheredAt(times)
}

function batchesOf<D extends WaitingDelivery>(
  group: readonly D[],
  { mostSingle, mostTogether }: Omit<Gathering, 'together'>,
): readonly Batch<D>[] {
  const [first, ...rest] = group.slice(0, mostTogether)
  if (first === undefined) return []
  const subjects = bySubject(group)
  if (isTest(first) || (subjects.length <= mostSingle && group.length <= mostTogether)) return subjects
  return [[first, ...rest], ...batchesOf(group.slice(mostTogether), { mostSingle: 0, mostTogether })]
}
