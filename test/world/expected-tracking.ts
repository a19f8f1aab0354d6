import type { Move, Tracking } from './facts.ts'

/** The events of guarantee E1 for two successive truths of a tracking; null: the first read of it that rings. */
export function expectedOfTracking(before: Tracking | null, after: Tracking): readonly string[] {
  const was = movesOf(before)
  const is = movesOf(after)
  const gone: Placed[] = []
  const come: Placed[] = []
  const changed = [...new Set([...was.keys(), ...is.keys()])].flatMap((identity) => {
    const own = ofMoves(was.get(identity) ?? [], is.get(identity) ?? [])
    gone.push(...own.gone.map((move) => ({ identity, move })))
    come.push(...own.come.map((move) => ({ identity, move })))
    return own.types.map((type) => `tracking.${type} ${identity}`)
  })
  const moves = [...changed, ...ofUnmatched(gone, come)]
  if (before === null) return moves
  const status = before.status === after.status ? [] : [`tracking.status_changed ${before.status}>${after.status}`]
  return [...status, ...moves, ...(citiesMoved(before, after) ? ['tracking.updated'] : [])]
}

interface Placed {
  readonly identity: string
  readonly move: Move
}

interface Matched {
  readonly types: readonly string[]
  readonly gone: readonly Move[]
  readonly come: readonly Move[]
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
function ofMoves(before: readonly Move[], after: readonly Move[]): Matched {
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
      types.push(typeOfChange(one, other))
    }
  }
  pair((one, other) => one.date === other.date && one.status === other.status)
  pair((one, other) => one.date === other.date)
  pair(() => true)
  return { types, gone: was, come: is }
}

/** What has no container may have got one: with an equal date first, then in the order of dates. */
function ofUnmatched(gone: readonly Placed[], come: readonly Placed[]): readonly string[] {
  const was = gone.toSorted(byDate)
  const is = come.toSorted(byDate)
  const types: string[] = []
  for (const isFit of [haveOneDate, () => true]) {
    for (const one of was.slice()) {
      if (one.move.container_number !== null) continue
      const other = is.find((each) => each.identity.startsWith(one.identity) && isFit(one, each))
      if (other === undefined) continue
      was.splice(was.indexOf(one), 1)
      is.splice(is.indexOf(other), 1)
      types.push(`tracking.${typeOfChange(one.move, other.move)} ${other.identity}`)
    }
  }
  const retracted = was.map(({ identity }) => `tracking.event_retracted ${identity}`)
  return [...types, ...retracted, ...is.map(({ identity }) => `tracking.event_added ${identity}`)]
}

function haveOneDate({ move: one }: Placed, { move: other }: Placed): boolean {
  return one.date === other.date
}

function byDate(one: Placed, other: Placed): number {
  return Date.parse(one.move.date) - Date.parse(other.move.date) || (one.identity < other.identity ? -1 : 1)
}

function typeOfChange(one: Move, other: Move): string {
  return other.status === 'actual' && one.status !== 'actual' ? 'event_actualised' : 'event_updated'
}

/** A step that stays and whose city is another: no event of it tells that. */
function citiesMoved(before: Tracking, after: Tracking): boolean {
  return after.tracking_steps.some(({ type, port }) =>
    before.tracking_steps.some(
      (step) => step.type === type && step.port.unlocode === port.unlocode && step.port.city !== port.city,
    ),
  )
}
