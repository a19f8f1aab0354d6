import type { Config } from '../../config/config.ts'
import type { Scope } from '../../model/scope.ts'
import type { Asker } from '../../serve/admin-context.ts'

/** Who makes subscriptions at run time: one owner sees and changes its own alone, within its accounts. */
export interface RuntimeMaker {
  /** The name of a narrower token; null: one that may do everything. */
  readonly owner: string | null
  /** The accounts that may be named, and that are meant where none is; null: all. */
  readonly accounts: readonly string[] | null
}

/** Who makes subscriptions: whoever sees everything may make any, others within what they see. */
export function makerOf({ name, scope }: Asker): RuntimeMaker {
  return scope.kind === 'all' ? { owner: null, accounts: null } : { owner: name, accounts: accountsIn(scope) }
}

function accountsIn(scope: Scope): readonly string[] {
  return scope.kind === 'accounts' ? scope.accounts : []
}

/** The accounts that an owner has, as they are now; null: all; undefined: there is no such owner any more. */
export function accountsOfOwner({ http }: Config, owner: string | null): readonly string[] | null | undefined {
  if (owner === null) return null
  const scope = http?.tokens.find(({ name }) => name === owner)?.scope
  return scope?.kind === 'accounts' ? scope.accounts : undefined
}

/** Whether a maker sees a subscription of an owner. */
export function seesOwner(maker: RuntimeMaker, owner: string | null): boolean {
  return maker.owner === null || maker.owner === owner
}
