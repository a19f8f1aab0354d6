import { html } from 'hono/html'
import { Hono } from 'hono'
import type { Desks } from '../../scope/desks.ts'
import type { AdminEnv } from '../../admin-env.ts'
import { mayAct } from '../../admin-context.ts'
import type { Job, Jobs } from '../../jobs.ts'
import { actorOf } from '../act.ts'
import { actionForm } from '../parts/actions.ts'
import { jobPath } from '../parts/address.ts'
import { badge } from '../parts/badge.ts'
import type { Page } from '../parts/layout.ts'
import { sentence, text } from '../parts/text.ts'
import { instant } from '../parts/time.ts'
import { showNothing, showPage, viewOf, type View } from '../show-page.ts'

export function jobRoutes(desks: Desks, jobs: Jobs): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const forgotten = 'It ended a while ago, or Shipbell was started again since: the deliveries show what came of it.'
  routes.get('/jobs/:id', async (c) => {
    const job = jobs.get(c.req.param('id'), c.get('asker'))
    return job === null ? showNothing(c, desks, forgotten) : showPage(c, desks, jobPage(job, viewOf(c, desks)))
  })
  routes.post('/jobs/:id/cancel', async (c) => {
    const asker = actorOf(c)
    const id = c.req.param('id')
    if (jobs.get(id, asker) === null) return c.notFound()
    jobs.cancel(id)
    return c.redirect(jobPath(id), 303)
  })
  return routes
}

const TONES = { running: 'neutral', finished: 'good', cancelled: 'warning', failed: 'critical' } as const

function jobPage(job: Job, { asker }: View): Page {
  const isRunning = job.state === 'running'
  // What was found since it was counted is done as well.
  const total = Math.max(job.total, job.done, 1)
  const body = html`<h1>${text(job.title, 300)}</h1>
    <section class="panel" id="job" aria-label="Progress" ${isRunning ? html`data-live="delivery"` : null}>
      <p class="row">${badge(job.state, TONES[job.state])} <span>${so(job.done)} of ${so(total)}</span></p>
      <progress max="${total}" value="${job.done}" aria-label="Progress" ${isRunning ? html`data-often` : null}>
        ${so(job.done)} of ${so(total)}
      </progress>
      ${job.problem === null ? null : html`<p class="remedy">${sentence(job.problem)}</p>`}
      ${(job.notes ?? []).map((note) => html`<p class="remedy">${sentence(note)}</p>`)}
      <p class="dim">
        Begun ${instant(job.startedAt)}${job.endedAt === null ? '' : html`, ended ${instant(job.endedAt)}`}.
        ${isRunning ? 'It goes on when you leave this page.' : null}
      </p>
      <div class="row">
        ${isRunning && mayAct(asker) ? actionForm({ path: `${jobPath(job.id)}/cancel`, label: 'Cancel' }) : null}
        <a class="button" href="${job.onward}">See the deliveries</a>
      </div>
    </section>`
  return { title: job.title, under: 'Deliveries', body }
}

function so(many: number): string {
  return many.toLocaleString('en')
}
