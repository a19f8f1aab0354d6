import type { Lookup } from './lookup.ts'

/** Answers a lookup: `whole` within one transaction, `single` one that is one statement. */
export interface Reader<Source> {
  whole<T>(lookup: (source: Source) => Lookup<T>): Promise<T>
  single<T>(lookup: (source: Source) => Lookup<T>): Promise<T>
}
