import type { Config } from '../../config/config.ts'
import type { Asker } from '../../serve/admin-context.ts'

/** Who makes subscriptions at run time: one owner sees and changes its own alone, within its accounts. */
export interface RuntimeMaker {
  /** The name of a narrower token; null: one that may do everything. */
  readonly owner: string | null
  /** The accounts that may be named, and that are meant where none is; null: all. */
  readonly accounts: readonly string[] | null
}

/** Every token that may act may do everything. */
export function makerOf(_asker: Asker): RuntimeMaker {
  return { owner: null, accounts: null }
}

/** The accounts that an owner has, as they are now; null: all; undefined: there is no such owner any more. */
export function accountsOfOwner(_config: Config, owner: string | null): readonly string[] | null | undefined {
  return owner === null ? null : undefined
}

/** Whether a maker sees a subscription of an owner. */
export function seesOwner(maker: RuntimeMaker, owner: string | null): boolean {
  return maker.owner === null || maker.owner === owner
}
