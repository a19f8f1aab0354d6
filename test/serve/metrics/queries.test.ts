import { describe, expect, test } from 'vitest'
import { METRICS } from '../../../src/serve/metrics/catalogue.ts'
import { anchorsOf, readPage } from '../../docs/pages.ts'
import { samplesOf } from './exposition.ts'
import { ObservedService } from './observed-service.ts'
import { alerts, asked, dashboardQueries } from './queries.ts'

/** What Prometheus adds to what it scrapes. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] }

async function exposed(): Promise<{ readonly metrics: ReadonlySet<string>; readonly labels: ReadonlySet<string> }> {
  const service = await ObservedService.start()
  service.platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
  await service.once()
  service.wait(60_000)
  service.platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'in_progress' }]
  await service.once()
  const samples = samplesOf(await service.text())
  return {
    metrics: new Set([...OF_PROMETHEUS.metrics, ...samples.map(({ name }) => name)]),
    labels: new Set([...OF_PROMETHEUS.labels, ...samples.flatMap(({ labels }) => Object.keys(labels))]),
  }
}

describe('dashboard and alerts', () => {
  const queries = [...alerts().map(({ alert, expr }) => asked(alert, expr)), ...dashboardQueries()]

  test('are queries that can be parsed', () => {
    expect(queries.length).toBeGreaterThan(30)
    expect(queries.filter(({ isSound }) => !isSound)).toEqual([])
    expect(asked('a typo', 'sum by (account (up)').isSound).toBe(false)
  })

  test('ask for metrics and labels that a scrape has', async () => {
    const { labels, metrics } = await exposed()
    const unknown = queries.flatMap(({ where, ...each }) => [
      ...each.metrics.filter((name) => !metrics.has(name)).map((name) => `${where}: ${name}`),
      ...each.labels.filter((name) => !labels.has(name)).map((name) => `${where}: label ${name}`),
    ])
    expect(unknown).toEqual([])
    expect(queries.every((each) => each.metrics.length > 0)).toBe(true)
  })

  test('show every metric that there is, the version aside', () => {
    const shown = new Set(queries.flatMap(({ metrics }) => metrics.map((name) => name.replace(/_bucket$/, ''))))
    const missing = Object.values(METRICS).filter(({ name }) => !shown.has(name))
    expect(missing.map(({ name }) => name)).toEqual(['shipbell_build_info'])
  })

  test.each(alerts())('$alert names a heading that says what to do', ({ annotations: { runbook_url } }) => {
    const [page = '', anchor = ''] = runbook_url.split('#')
    expect(page).toMatch(/^docs\/how-to\//)
    expect(anchorsOf(readPage(page))).toContain(anchor)
  })
})
