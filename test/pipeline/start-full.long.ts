import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { newSnapshotRun } from '../../src/model/snapshot-run.ts'
import { field, type Json, type JsonObject } from '../../src/model/json.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { LoopbackReceiver, SECRET, type Received } from '../support/loopback-receiver.ts'
import { Stage } from './stage.ts'
import { killed, stopped, WAIT } from './workplace.ts'

const SHIPMENTS = 60

/** Rounds of changes, over which a receiver that keeps the newest version of each subject is to hold what the platform shows. */
class Rounds {
  readonly #stage: Stage
  readonly names = Array.from({ length: SHIPMENTS }, (_, nth) => `SHP-${nth}`)
  readonly #rounds = new Map<string, number>()

  constructor(stage: Stage) {
    this.#stage = stage
    this.show()
  }

  /** Moves every nth shipment on. */
  change(nth: number): void {
    for (const [index, id] of this.names.entries())
      if (index % nth === 0) this.#rounds.set(id, (this.#rounds.get(id) ?? 0) + 1)
    this.show()
  }

  show(): void {
    this.#stage.platform.shipments = this.names.map((id) => this.record(id))
  }

  record(id: string): JsonObject {
    return { platform_shipment_id: id, status: 'in_progress', name: `round ${this.#rounds.get(id) ?? 0}` }
  }
}

/** The names that a receiver holds: of each subject those of the newest version, of equal ones the higher position. */
function held(received: readonly Received[]): ReadonlyMap<string, Json | undefined> {
  const newest = new Map<string, { readonly rank: readonly [number, number]; readonly name: Json | undefined }>()
  for (const { payload } of received) {
    const { subject } = payload
    const rank = [subject.version, Number(field(payload['delivery'], 'position'))] as const
    const known = newest.get(subject.id)?.rank ?? [-1, -1]
    if (subject.resource !== 'shipment' || rank[0] < known[0] || (rank[0] === known[0] && rank[1] < known[1])) continue
    newest.set(subject.id, { rank, name: field(field(payload['data'], 'object'), 'name') })
  }
  return new Map([...newest].map(([id, { name }]) => [id, name]))
}

test('who starts full holds what the platform shows, though records change and the daemon is killed meanwhile', async () => {
  await using stage = await Stage.open()
  await using late = await LoopbackReceiver.start()
  const { receiver, work } = stage
  const rounds = new Rounds(stage)
  late.answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 10))
    return 200
  }
  const added = `  late: { url: "${late.url}", secret: ${SECRET}, events: ["shipment.*"], order: subject }`
  stage.configure({ subscriptions: added })
  let daemon = await stage.startLearnt()
  rounds.change(3)
  await vi.waitFor(() => expect(late.events.length).toBe(SHIPMENTS / 3), WAIT)
  {
    await using store = openStore({ path: path.join(work.folder, 'shipbell.db') })
    expect(await store.beginSnapshot(newSnapshotRun('late', Date.now()))).toBeNull()
  }
  for (const share of [0.1, 0.5]) {
    await vi.waitFor(() => expect(snapshots(late).length).toBeGreaterThan(share * SHIPMENTS), WAIT)
    await killed(daemon)
    rounds.change(5)
    daemon = work.start('run')
  }
  rounds.change(7)
  await vi.waitFor(
    () => expect(new Set(snapshots(late).map(({ payload }) => payload.subject.id)).size).toBe(SHIPMENTS),
    WAIT,
  )
  await vi.waitFor(() => {
    const holds = held(late.received)
    expect(rounds.names.filter((id) => holds.get(id) !== rounds.record(id)['name'])).toEqual([])
  }, WAIT)
  expect(outOfTurn(late.received)).toEqual([])
  // Each record once: a repeat has its id.
  const ids = new Map(snapshots(late).map(({ id, payload }) => [payload.subject.id, id]))
  expect(snapshots(late).filter(({ id, payload }) => ids.get(payload.subject.id) !== id)).toEqual([])
  expect(snapshots(late).some(({ payload }) => payload.subject.version > 0)).toBe(true)
  expect(receiver.received.filter(({ payload }) => payload.type.endsWith('.snapshot'))).toEqual([])
  expect([late.problems, receiver.problems]).toEqual([[], []])
  await vi.waitFor(async () => {
    await using store = openStore({ path: path.join(work.folder, 'shipbell.db') })
    const [run] = await store.snapshotRuns({ which: 'last' })
    expect(run).toMatchObject({ endedAt: expect.any(Number), parts: [{ sent: SHIPMENTS, leftOut: 0 }] })
  }, WAIT)
  await stopped(daemon)
})

/** What came of a subject behind a newer version of it, repeats left out. */
function outOfTurn(received: readonly Received[]): readonly string[] {
  const newest = new Map<string, number>()
  const seen = new Set<string>()
  return received.flatMap(({ id, payload: { subject, type } }) => {
    const isBehind = !seen.has(id) && subject.version < (newest.get(subject.id) ?? 0)
    seen.add(id)
    newest.set(subject.id, Math.max(subject.version, newest.get(subject.id) ?? 0))
    return isBehind ? [`${type} ${subject.id} ${subject.version}`] : []
  })
}

function snapshots({ received }: LoopbackReceiver): readonly Received[] {
  return received.filter(({ payload }) => payload.type === 'shipment.snapshot')
}
