import { Hono, type Context } from 'hono'
import { ShipbellError } from '../../../errors.ts'
import { isRecordResource } from '../../../model/resource.ts'
import { ownPath } from '../../access/own-path.ts'
import { actsAs, type AdminActions } from '../../admin-context.ts'
import type { AdminEnv } from '../../admin-env.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import type { Desks } from '../../scope/desks.ts'
import { act, actorOf, formOf } from '../act.ts'
import type { ActionParts } from '../action-parts.ts'
import type { Notice } from '../notice.ts'
import { sayCount } from '../languages/say.ts'
import { queryOf, valueOf, type Address } from '../parts/address.ts'
import { recordPage } from '../records/record-page.ts'
import { showPage, viewOf } from '../show-page.ts'
import { todayPage } from '../today/today-page.ts'
import { ACKNOWLEDGE_PATH, askedBy, readAcknowledgement, type RefusedForm, REOPEN_PATH } from './acknowledge-form.ts'

/** What people say of exceptions where they are shown. */
export function exceptionPageRoutes(desks: Desks, { notices }: ActionParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  // The page that says what is wrong has the address of the form: whoever asks for that alone is shown today.
  routes.get(ACKNOWLEDGE_PATH, (c) => c.redirect('/', 303))
  routes.post(ACKNOWLEDGE_PATH, async (c) => {
    const asker = actorOf(c)
    const form = await formOf(c)
    const [asked, back] = [askedBy(form), ownPath(valueOf(form, 'back') ?? undefined)]
    const said = readAcknowledgement(asked, desks.clock.now())
    if ('wrong' in said) return await showAgain(c, { back, desks, refused: said })
    const actions = desks.deskOf(asker).actionsOf(asker)
    const by = actsAs(asker)
    const work = async () => await eachOf(asked.exceptions, actions, { by, ...said })
    return await act(c, { notices, path: back, work })
  })
  routes.post(REOPEN_PATH, async (c) => {
    const asker = actorOf(c)
    const form = await formOf(c)
    const actions = desks.deskOf(asker).actionsOf(asker)
    const work = async () => await eachOf(askedBy(form).exceptions, actions, null)
    return await act(c, { notices, path: ownPath(valueOf(form, 'back') ?? undefined), work })
  })
  return routes
}

/** Says something of each, and what came of it; one that closed meanwhile keeps no other from it. */
async function eachOf(
  ids: readonly string[],
  actions: AdminActions,
  said: Parameters<AdminActions['acknowledge']>[1],
): Promise<Notice> {
  let closed: string | null = null
  let done = 0
  for (const id of new Set(ids)) {
    try {
      await actions.acknowledge(id, said)
      done += 1
    } catch (error) {
      if (!(error instanceof ShipbellError) || error.code !== 'wrong_state') throw error
      closed = error.message
    }
  }
  if (closed !== null) return { tone: 'critical', text: closed }
  return {
    tone: 'good',
    text:
      said === null
        ? sayCount(done, ['Reopened: {n} exception.', 'Reopened: {n} exceptions.'])
        : acknowledgedText(done),
  }
}

function acknowledgedText(done: number): string {
  return sayCount(done, [
    'Acknowledged: {n} exception. Nobody is reminded of it while that holds.',
    'Acknowledged: {n} exceptions. Nobody is reminded of them while that holds.',
  ])
}

interface ShownAgain {
  /** The page that the form stood on. */
  readonly back: string
  readonly desks: Desks
  readonly refused: RefusedForm
}

/** The page of the form, as it was filled in, with what cannot be taken beside its field. */
async function showAgain(c: Context<AdminEnv>, { back, desks, refused }: ShownAgain): Promise<Response> {
  const { pathname, searchParams } = new URL(back, c.req.url)
  const address: Address = { path: pathname, query: queryOf(searchParams) }
  const view = { ...viewOf(c, desks), address, refused }
  const named = recordNamed(address)
  const page = named === null ? null : await recordPage(named, view)
  c.status(422)
  return await showPage(c, desks, page ?? (await todayPage(view)))
}

/** The record whose page an address is; null: it is another page. */
function recordNamed({ path, query }: Address): RecordKey | null {
  const [, resource = '', account = '', id = ''] = /^\/records\/([^/]+)\/([^/]+)\/([^/]*)$/.exec(path) ?? []
  if (!isRecordResource(resource)) return null
  try {
    const named = id === '' ? (query['id']?.[0] ?? '') : decodeURIComponent(id)
    return { resource, account: decodeURIComponent(account), id: named }
  } catch {
    // A form that nobody was given names what is no path.
    return null
  }
}
