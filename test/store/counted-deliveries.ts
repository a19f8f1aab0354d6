/** What is counted of a delivery, as its row has it. */
export interface CountedRow {
  readonly subscription: string
  readonly state: string
  readonly test: number
  readonly round: number
  readonly wake_at: number | null
  readonly turn: number | null
}

export const COUNTED = 'SELECT subscription, state, test, round, wake_at, turn FROM deliveries'

interface Count {
  readonly subscription: string
  readonly amount: number
}

/** How many rows of each subscription are in which state, as triggers keep it. Tests count nowhere. */
export function talliesOf(rows: readonly CountedRow[]): readonly (Count & { readonly state: string })[] {
  const groups = Map.groupBy(rows.filter(isCounted), ({ state, subscription }) => `${subscription} ${state}`)
  return sorted(groups).flatMap((of) =>
    of.slice(0, 1).map(({ state, subscription }) => ({ subscription, state, amount: of.length })),
  )
}

/** How many rows were put off without an attempt until when, as triggers keep it: they wait to be sent together. */
export function deferralsOf(rows: readonly CountedRow[]): readonly (Count & { readonly wake_at: number | null })[] {
  const deferred = rows.filter((row) => isCounted(row) && isDeferred(row))
  const groups = Map.groupBy(deferred, ({ subscription, wake_at: at }) => `${subscription} ${String(at).padStart(20)}`)
  return sorted(groups).flatMap((of) =>
    of.slice(0, 1).map(({ subscription, wake_at }) => ({ subscription, wake_at, amount: of.length })),
  )
}

function isCounted({ test }: CountedRow): boolean {
  return test === 0
}

/** A row whose turn in its lane has not come is sent with no other. */
function isDeferred({ round, state, turn, wake_at: wakeAt }: CountedRow): boolean {
  return wakeAt !== null && round === 0 && state === 'pending' && turn !== 0
}

function sorted<Row>(groups: ReadonlyMap<string, readonly Row[]>): readonly (readonly Row[])[] {
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, rows]) => rows)
}
