/** The values of a statement's `:names`. A list is what `isOneOf` looks in. */
export type Values = Readonly<Record<string, string | number | null | readonly string[] | readonly number[]>>

/**
 * Statements of a report, one after the other, and what follows from their rows: one text for both stores. It yields what has to be
 * waited for. SQLite answers at once, so that nothing else comes in between: there it yields nothing.
 */
export type Lookup<T> = Generator<Promise<void>, T, void>

/** The answer of a store that answers at once. */
export function atOnce<T>(lookup: Lookup<T>): T {
  const step = lookup.next()
  if (step.done !== true) throw new Error('A store that answers at once has nothing to wait for.')
  return step.value
}

/** The answer of a store that is waited for. */
export async function awaited<T>(lookup: Lookup<T>): Promise<T> {
  for (;;) {
    const step = lookup.next()
    if (step.done === true) return step.value
    await step.value
  }
}

/** What was answered already: there is nothing to wait for. */
export function* atHand<T>(value: T): Lookup<T> {
  yield* []
  return value
}

export function* answerOf<T>(promise: Promise<T>): Lookup<T> {
  let answer: () => T = notWaitedFor
  yield (async () => {
    const value = await promise
    answer = () => value
  })()
  return answer()
}

function notWaitedFor(): never {
  throw new Error('The answer was not waited for.')
}

/** Answers a lookup: `whole` within one transaction, `single` one that is one statement. */
export interface Reader<Source> {
  whole<T>(lookup: (source: Source) => Lookup<T>): Promise<T>
  single<T>(lookup: (source: Source) => Lookup<T>): Promise<T>
}
