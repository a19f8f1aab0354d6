import type { MiddlewareHandler } from 'hono'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { AccessControl } from './access-control.ts'
import { guardAccess } from './guard-access.ts'
import type { Session } from './session.ts'
import { WrongTokens } from './wrong-tokens.ts'

/** Who may ask for what: one for all that answers at the admin interface. */
export interface Access {
  readonly control: AccessControl
  readonly wrong: WrongTokens
  readonly guard: MiddlewareHandler<AdminEnv>
}

/** `ended`: sessions that were signed out before. */
export function accessOf(context: AdminContext, ended: readonly Session[] = []): Access {
  const control = new AccessControl(context, ended)
  const wrong = new WrongTokens(context)
  return { control, wrong, guard: guardAccess(context, control, wrong) }
}
