import type { Context } from 'hono'
import { ShipbellError } from '../../errors.ts'
import { mayAct, type Asker } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import type { Notice } from './notice.ts'
import type { Notices } from './notices.ts'
import { queryOf, type Address } from './parts/address.ts'

/** Who may act: the guard has refused others that send something; here are refused those that ask what it would do. */
export function actorOf(c: Context<AdminEnv>): Asker {
  const asker = c.get('asker')
  if (mayAct(asker)) return asker
  throw new ShipbellError('forbidden', 'You can look, and change nothing: sign in with `http.token`.')
}

/** What a form sent, as the query of a page. Files are no part of it. */
export async function formOf(c: Context<AdminEnv>): Promise<Address> {
  return { path: c.req.path, query: queryOf(new URLSearchParams(await c.req.text())) }
}

export interface Act {
  readonly notices: Notices
  /** The page that shows what came of it. */
  readonly path: string
  /** Resolves to what is said of it there. */
  readonly work: () => Promise<Notice | string>
}

/** Does something and leads to a page that says what came of it; also where its state does not allow it. */
export async function act(c: Context<AdminEnv>, { notices, path, work }: Act): Promise<Response> {
  try {
    const said = await work()
    return notices.leadTo(c, path, typeof said === 'string' ? { tone: 'good', text: said } : said)
  } catch (error) {
    if (!(error instanceof ShipbellError) || error.code !== 'wrong_state') throw error
    return notices.leadTo(c, path, { tone: 'critical', text: error.message })
  }
}
