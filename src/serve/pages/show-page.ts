import type { Context } from 'hono'
import { STATUS_CODES } from 'node:http'
import { ShipbellError } from '../../errors.ts'
import { policyShowing } from '../access/security-headers.ts'
import type { Asker } from '../admin-context.ts'
import type { Desk, Desks, Surroundings } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { problemOf } from '../problem.ts'
import type { RefusedForm } from './exceptions/acknowledge-form.ts'
import { queryOf, valueOf, without, type Address } from './parts/address.ts'
import { noSuchPlace } from './parts/query.ts'
import { FieldProblem, madeDespite, type WrongField } from './parts/field-problems.ts'
import { say } from './languages/say.ts'
import { layout, type Page } from './parts/layout.ts'
import { problemPage, type PageProblem } from './parts/problem-page.ts'

/** What a page is made of beside its path: where it is asked for, by whom, and when. */
export interface View {
  readonly desk: Desk
  readonly address: Address
  readonly asker: Asker
  readonly now: number
  /** A form of the page that could not be taken as it was sent; left out: none was. */
  readonly refused?: RefusedForm
  /** When whoever looks looked before, as far as their browser says; left out: it does not. */
  readonly lastVisit?: number
}

export function viewOf(c: Context<AdminEnv>, desks: Desks): View {
  const asker = c.get('asker')
  const lastVisit = c.get('lastVisit')
  const view = { desk: desks.deskOf(asker), address: addressOf(c), asker, now: desks.clock.now() }
  return lastVisit === undefined ? view : { ...view, lastVisit }
}

export async function showPage(c: Context<AdminEnv>, { version }: Surroundings, page: Page): Promise<Response> {
  const asker = c.get('asker') ?? null
  const simulatedAt = c.get('simulatedAt') ?? null
  if (page.framed !== undefined) c.header('Content-Security-Policy', policyShowing(page.framed))
  return c.html(layout(page, { asker, notice: c.get('notice') ?? null, simulatedAt, version }))
}

/**
 * A page that filters narrow. A filter that is wrong loses none of the others: the page is made without it, and its form says
 * beside the field what is wrong.
 */
export async function showFiltered(
  c: Context<AdminEnv>,
  desks: Desks,
  make: (view: View) => Promise<Page>,
): Promise<Response> {
  const wrong = new Map<string, WrongField>()
  let view = viewOf(c, desks)
  for (;;) {
    const asked = view
    try {
      const page = await madeDespite(wrong, async () => await make(asked))
      if (wrong.size > 0) c.status(422)
      return await showPage(c, desks, page)
    } catch (error) {
      const problem = fieldProblemOf(error)
      const value = problem === null ? null : valueOf(view.address, problem.field)
      if (problem === null || value === null) throw error
      wrong.set(problem.field, { value, said: problem.message })
      view = { ...view, address: without(view.address, problem.field) }
    }
  }
}

/** A place in a list that there is not is no reason to lose the list. */
function fieldProblemOf(error: unknown): FieldProblem | null {
  if (error instanceof FieldProblem) return error
  return error instanceof ShipbellError && error.code === 'bad_cursor' ? noSuchPlace() : null
}

/** What cannot be shown, in plain sentences; nothing of the insides of what nobody foresaw. */
export async function showProblem(error: Error, c: Context<AdminEnv>, desks: Surroundings): Promise<Response> {
  const { detail, status } = problemOf(error)
  if (status >= 500) desks.log.error({ path: c.req.path, error: String(error) }, 'admin.failed')
  c.status(statusOf(status))
  // Only a filter can be left out: who may not do something may not do it without one.
  const onward =
    status === 422 ? { path: c.req.path, label: say('Try again without filters') } : { path: '/', label: say('Home') }
  return showPage(c, desks, problemPage({ title: titleOf(status), detail, onward }))
}

export async function showNothing(c: Context<AdminEnv>, desks: Surroundings, detail: string): Promise<Response> {
  return await showAbsence(c, desks, { detail, onward: { path: '/', label: say('Home') } })
}

/** 404, with the way on that helps most. */
export async function showAbsence(
  c: Context<AdminEnv>,
  desks: Surroundings,
  { detail, onward }: Pick<PageProblem, 'detail' | 'onward'>,
): Promise<Response> {
  c.status(404)
  return showPage(c, desks, problemPage({ title: say('Not found'), detail: say(detail), onward }))
}

/** The name of a status, in the language of whoever looks where people meet it. */
export function titleOf(status: number): string {
  return status === 403 ? say('Not allowed') : (STATUS_CODES[status] ?? 'Error')
}

function statusOf(status: number): 403 | 404 | 409 | 422 | 500 | 503 {
  switch (status) {
    case 403:
    case 404:
    case 409:
    case 422:
    case 503:
      return status
    default:
      return 500
  }
}

function addressOf(c: Context<AdminEnv>): Address {
  const { pathname, searchParams } = new URL(c.req.url)
  return { path: pathname, query: queryOf(searchParams) }
}
