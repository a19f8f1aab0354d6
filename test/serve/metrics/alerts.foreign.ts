import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../docs/pages.ts'
import { hasPromtool, promtool } from './promtool.ts'

const PROMETHEUS = path.join(ROOT, 'config/prometheus')

describe.skipIf(!hasPromtool)('the alerts', () => {
  test('are what promtool accepts', () => {
    expect(promtool(['check', 'rules', path.join(PROMETHEUS, 'alerts.yaml')])).toContain('SUCCESS')
    expect(promtool(['check', 'config', '--syntax-only', path.join(PROMETHEUS, 'prometheus.yaml')])).toContain(
      'SUCCESS',
    )
  })

  test('ring when they should', () => {
    expect(promtool(['test', 'rules', path.join(import.meta.dirname, 'alerts.promtool.yaml')])).toContain('SUCCESS')
  })
})
