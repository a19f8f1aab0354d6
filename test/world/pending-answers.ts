import type { AnyFacts, Resource } from './facts.ts'
import { keyOf } from './watched.ts'

export interface Shown {
  readonly resource: Resource
  readonly id: string
  /** null: there is nothing of that id. */
  readonly facts: AnyFacts | null
  readonly answeredAt: number
}

/** Answers that were given and of which nothing was heard since, by record. */
export class PendingAnswers {
  readonly #answers = new Map<string, readonly Shown[]>()

  add(answer: Shown): void {
    const key = keyOf(answer.resource, answer.id)
    this.#answers.set(key, [...(this.#answers.get(key) ?? []), answer])
  }

  /** What was answered at that instant, which is pending no more. */
  take(key: string, answeredAt: number): Shown | null {
    const answers = this.#answers.get(key) ?? []
    const found = answers.find((each) => each.answeredAt === answeredAt)
    const rest = answers.filter((each) => each !== found)
    if (rest.length === 0) this.#answers.delete(key)
    else this.#answers.set(key, rest)
    return found ?? null
  }

  /** All of a resource, one for each record. */
  drop(resource: Resource): readonly Shown[] {
    const dropped = [...this.#answers.values()].flatMap(([first]) => (first?.resource === resource ? [first] : []))
    for (const { id } of dropped) this.#answers.delete(keyOf(resource, id))
    return dropped
  }

  clear(): void {
    this.#answers.clear()
  }
}
