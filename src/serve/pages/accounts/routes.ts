import { Hono } from 'hono'
import { html } from 'hono/html'
import { retold } from '../languages/retold.ts'
import { say, sayCount } from '../languages/say.ts'
import { watchedText } from '../parts/words.ts'
import { ShipbellError } from '../../../errors.ts'
import type { HeldList, HoldVerdict } from '../../../model/hold.ts'
import { RECORD_OF, WATCHABLES, watchedAs } from '../../../model/resource.ts'
import { judgedWords, verdictsOf } from '../../../report/hold-words.ts'
import type { Desk, Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { act, actorOf } from '../act.ts'
import type { ActionParts } from '../action-parts.ts'
import { confirmation } from '../parts/actions.ts'
import { accountPath } from '../parts/address.ts'
import type { Page } from '../parts/layout.ts'
import { wording } from '../parts/time.ts'
import { showFiltered, showPage, viewOf } from '../show-page.ts'
import { accountListPage } from './account-list-page.ts'
import { holdPath } from './account-facts.ts'
import { accountPage } from './account-page.ts'

const VERDICT_NAMES = ['accept', 'reject'] as const satisfies readonly HoldVerdict[]

export function accountRoutes(desks: Desks, { notices }: ActionParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  routes.get('/accounts', async (c) => showFiltered(c, desks, accountListPage))
  routes.get('/accounts/:name', async (c) =>
    showPage(c, desks, await accountPage(c.req.param('name'), viewOf(c, desks))),
  )
  const [ofList, ofRecords] = ['/accounts/:name/holds/:resource', '/accounts/:name/holds/:resource/:reason']
  routes.on('GET', [`${ofList}/:verdict`, `${ofRecords}/:verdict`], async (c) => {
    const { hold, verdict } = await heldNamed(desks.deskOf(actorOf(c)), c.req.param())
    return showPage(c, desks, verdictQuestion(hold, verdict))
  })
  routes.on('POST', [`${ofList}/:verdict`, `${ofRecords}/:verdict`], async (c) => {
    const asker = actorOf(c)
    const desk = desks.deskOf(asker)
    const actions = desk.actionsOf(asker)
    const { hold, verdict } = await heldNamed(desk, c.req.param())
    return act(c, {
      notices,
      path: accountPath(hold.account),
      work: async () => {
        const judged = await actions.judgeHold(hold, verdict)
        return `${watchedText(watchedAs(hold.resource))}: ${retold(judgedWords(judged, verdict))}`
      },
    })
  })
  return routes
}

interface Named {
  readonly name?: string
  readonly resource?: string
  /** Why the records are held; left out: the whole list is. */
  readonly reason?: string
  readonly verdict?: string
}

/** Throws `not_found` where nothing of the kind is held, also where somebody was quicker. */
async function heldNamed({ store }: Pick<Desk, 'store'>, { name = '', reason, resource = '', verdict }: Named) {
  const watch = WATCHABLES.find((each) => each === resource)
  const known = VERDICT_NAMES.find((each) => each === verdict)
  const hold = (await store.holds()).find((each) => {
    const isOfList = each.account === name && watch !== undefined && each.resource === RECORD_OF[watch]
    return isOfList && (reason === undefined ? each.reason !== 'unproved' : each.reason === reason)
  })
  if (hold !== undefined && known !== undefined) return { hold, verdict: known }
  throw new ShipbellError('not_found', `No removals of ${resource} of account ${JSON.stringify(name)} are held.`)
}

const GONE = [
  '{n} missing item of {list} of {account} will be believed to be gone.',
  '{n} missing items of {list} of {account} will be believed to be gone.',
] as const
const THERE = [
  '{n} missing item of {list} of {account} will be believed to exist.',
  '{n} missing items of {list} of {account} will be believed to exist.',
] as const

function verdictQuestion(hold: HeldList, verdict: HoldVerdict): Page {
  const watch = watchedAs(hold.resource)
  const back = accountPath(hold.account)
  const name = say(verdict === 'accept' ? 'Accept' : 'Reject')
  const named = { account: hold.account, list: wording().terms.watched[watch].many }
  const body = html`<h1>${say(verdict === 'accept' ? 'Accept the removals?' : 'Reject the removals?')}</h1>
    ${confirmation({
      question: verdict === 'accept' ? sayCount(hold.missing, GONE, named) : sayCount(hold.missing, THERE, named),
      detail: `${say(verdictsOf(hold)[verdict])}.`,
      action: { path: holdPath(hold, verdict), isGrave: verdict === 'accept' },
      back,
    })}`
  return { title: `${name} · ${hold.account}`, under: 'Accounts', body }
}
