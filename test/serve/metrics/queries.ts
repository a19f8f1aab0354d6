import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { z } from 'zod'
import { ROOT } from '../../docs/pages.ts'

/** What a query asks for by name. */
export interface Asked {
  readonly where: string
  readonly query: string
  readonly metrics: readonly string[]
  readonly labels: readonly string[]
  /** Whether it can be read at all. */
  readonly isSound: boolean
}

export function asked(where: string, query: string): Asked {
  // Grafana replaces its variables before anybody parses.
  const text = query.replaceAll('$__rate_interval', '5m')
  const [metrics, labels] = [new Set<string>(), new Set<string>()]
  let isSound = true
  parser.parse(text).iterate({
    enter: ({ from, name, to, type }) => {
      const said = text.slice(from, to)
      if (type.isError) isSound = false
      if (name === 'Identifier') metrics.add(said)
      if (name === 'LabelName') labels.add(said)
    },
  })
  return { where, query, metrics: [...metrics], labels: [...labels], isSound }
}

const ALERTS = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ runbook_url: z.string(), summary: z.string() }),
        }),
      ),
    }),
  ),
})

export type Alert = z.infer<typeof ALERTS>['groups'][number]['rules'][number]

export function alerts(): readonly Alert[] {
  return ALERTS.parse(parse(configFile('prometheus/alerts.yaml'))).groups.flatMap(({ rules }) => rules)
}

const DASHBOARD = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
  templating: z.object({ list: z.array(z.object({ name: z.string(), definition: z.string().optional() })) }),
})

/** The queries of panels and of variables, `label_values` taken off. */
export function dashboardQueries(): readonly Asked[] {
  const { panels, templating } = DASHBOARD.parse(JSON.parse(configFile('grafana/shipbell.json')))
  const shown = panels.flatMap(({ targets, title }) => targets.map(({ expr }) => asked(title, expr)))
  const listed = templating.list.flatMap(({ definition, name }) => {
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition ?? '') ?? []
    return definition === undefined ? [] : [asked(name, `sum by (${label}) (${metric})`)]
  })
  return [...shown, ...listed]
}

function configFile(name: string): string {
  return readFileSync(path.join(ROOT, 'config', name), 'utf8')
}
