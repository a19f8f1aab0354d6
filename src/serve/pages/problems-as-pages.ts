import type { MiddlewareHandler } from 'hono'
import type { Surroundings } from '../scope/desks.ts'
import type { AdminEnv } from '../admin-env.ts'
import { PROBLEM_TYPE } from '../problem.ts'
import { problemPage } from './parts/problem-page.ts'
import { showPage, titleOf } from './show-page.ts'

/** A person with a browser is told in a page what a program is told in JSON: that an action is refused, above all. */
export function problemsAsPages(desks: Surroundings): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    await next()
    const isProblem = c.res.headers.get('content-type') === PROBLEM_TYPE
    const wantsPage = c.req.header('accept')?.includes('text/html') === true && !c.req.path.startsWith('/api/')
    if (!isProblem || !wantsPage) return
    const { status } = c.res
    const problem: unknown = await c.res.json()
    const page = await showPage(
      c,
      desks,
      problemPage({ ...saidBy(problem, status), onward: { path: '/', label: 'Home' } }),
    )
    const headers = new Headers(c.res.headers)
    headers.set('Content-Type', page.headers.get('content-type') ?? 'text/html; charset=UTF-8')
    headers.delete('Content-Length')
    c.res = new Response(page.body, { status, headers })
  }
}

function saidBy(problem: unknown, status: number): { readonly title: string; readonly detail: string } {
  const title = titleOf(status)
  const hasDetail = typeof problem === 'object' && problem !== null && 'detail' in problem
  return { title, detail: hasDetail && typeof problem.detail === 'string' ? problem.detail : title }
}
