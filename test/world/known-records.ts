import type { AnyFacts } from './facts.ts'
import type { Known } from './known.ts'
import { keyOf } from './watched.ts'

/** Every record that was ever read, by its resource and id. */
export class KnownRecords {
  readonly #records = new Map<string, Known>()

  get all(): Iterable<readonly [string, Known]> {
    return this.#records
  }

  get(key: string): Known | undefined {
    return this.#records.get(key)
  }

  set(key: string, known: Known): void {
    this.#records.set(key, known)
  }

  /** Of one resource, removed ones too. */
  of(resource: string): readonly Known[] {
    return [...this.#records].flatMap(([key, known]) => (key === keyOf(resource, known.id) ? [known] : []))
  }

  /** Of one resource, by id: what is there. */
  present(resource: string): ReadonlyMap<string, Known> {
    return new Map(this.of(resource).flatMap((known) => (known.removed ? [] : [[known.id, known] as const])))
  }

  factsOf(resource: string): ReadonlyMap<string, AnyFacts> {
    return new Map([...this.present(resource)].map(([id, { facts }]) => [id, facts]))
  }
}
