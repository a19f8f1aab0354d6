import type { Move, Tracking } from './facts.ts'

/** The events of guarantee E1 for two successive truths of a tracking; null: the first read of it that rings. */
export function expectedOfTracking(before: Tracking | null, after: Tracking): readonly string[] {
  const was = movesOf(before)
  const is = movesOf(after)
  const moves = [...new Set([...was.keys(), ...is.keys()])].flatMap((identity) =>
    ofMoves(was.get(identity) ?? [], is.get(identity) ?? []).map((type) => `tracking.${type} ${identity}`),
  )
  if (before === null) return moves
  const status = before.status === after.status ? [] : [`tracking.status_changed ${before.status}>${after.status}`]
  return [...status, ...moves, ...(citiesMoved(before, after) ? ['tracking.updated'] : [])]
}

function movesOf(tracking: Tracking | null): ReadonlyMap<string, readonly Move[]> {
  const moves = (tracking?.tracking_steps ?? []).flatMap((step) =>
    step.events.map((move) => ({ move, identity: identityOf([step.type, step.port.unlocode], move) })),
  )
  return new Map(
    [...Map.groupBy(moves, ({ identity }) => identity)].map(([identity, own]) => [
      identity,
      own.map((one) => one.move),
    ]),
  )
}

export function identityOf(step: readonly string[], move: Pick<Move, 'description' | 'container_number'>): string {
  return [...step, move.description, move.container_number ?? ''].join('|').toLowerCase().replaceAll(' ', '')
}

/** Equal ones are the same, then those of one date; of the others as many changed as there are on both sides. */
function ofMoves(before: readonly Move[], after: readonly Move[]): readonly string[] {
  const was = [...before]
  const is = [...after]
  const types: string[] = []
  const pair = (matches: (one: Move, other: Move) => boolean): void => {
    const waiting = was.slice()
    for (const one of waiting) {
      const other = is.find((each) => matches(one, each))
      if (other === undefined) continue
      was.splice(was.indexOf(one), 1)
      is.splice(is.indexOf(other), 1)
      if (one.date === other.date && one.status === other.status) continue
      types.push(other.status === 'actual' && one.status !== 'actual' ? 'event_actualised' : 'event_updated')
    }
  }
  pair((one, other) => one.date === other.date && one.status === other.status)
  pair((one, other) => one.date === other.date)
  pair(() => true)
  return [...types, ...was.map(() => 'event_retracted'), ...is.map(() => 'event_added')]
}

/** A step that stays and whose city is another: no event of it tells that. */
function citiesMoved(before: Tracking, after: Tracking): boolean {
  return after.tracking_steps.some(({ type, port }) =>
    before.tracking_steps.some(
      (step) => step.type === type && step.port.unlocode === port.unlocode && step.port.city !== port.city,
    ),
  )
}
