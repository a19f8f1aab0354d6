import { html } from 'hono/html'
import { Hono } from 'hono'
import { amountText, say, sayAround } from '../languages/say.ts'
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
import { showAbsence, showPage, viewOf, type View } from '../show-page.ts'

export function jobRoutes(desks: Desks, jobs: Jobs): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  const forgotten = 'It ended a while ago, or Shipbell was started again since: the deliveries show what came of it.'
  routes.get('/jobs/:id', async (c) => {
    const job = jobs.get(c.req.param('id'), c.get('asker'))
    return job === null
      ? showAbsence(c, desks, { detail: forgotten, onward: { path: '/deliveries', label: say('Deliveries') } })
      : showPage(c, desks, jobPage(job, viewOf(c, desks)))
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
    <section class="panel" id="job" aria-label="${say('Progress')}" ${isRunning ? html`data-live="delivery"` : null}>
      <p class="row">${badge(say(job.state), TONES[job.state])} <span>${howFar(job.done, total)}</span></p>
      <progress
        max="${total}"
        value="${job.done}"
        aria-label="${say('Progress')}"
        ${isRunning ? html`data-often` : null}
      >
        ${howFar(job.done, total)}
      </progress>
      ${job.problem === null ? null : html`<p class="remedy">${sentence(job.problem)}</p>`}
      ${(job.notes ?? []).map((note) => html`<p class="remedy">${sentence(note)}</p>`)}
      <p class="dim">
        ${
          job.endedAt === null
            ? sayAround('Begun {instant}.', { instant: instant(job.startedAt) })
            : sayAround('Begun {instant}, ended {end}.', { instant: instant(job.startedAt), end: instant(job.endedAt) })
        }
        ${isRunning ? say('It goes on when you leave this page.') : null}
      </p>
      <div class="row">
        ${isRunning && mayAct(asker) ? actionForm({ path: `${jobPath(job.id)}/cancel`, label: 'Cancel' }) : null}
        <a class="button" href="${job.onward}">${say('See the deliveries')}</a>
      </div>
    </section>`
  return { title: job.title, under: 'Deliveries', body }
}

function howFar(done: number, all: number): string {
  return say('{n} of {all}', { n: amountText(done), all: amountText(all) })
}
