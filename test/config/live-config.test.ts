import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { LiveConfig } from '../../src/config/live-config.ts'

const HTTP = { host: '127.0.0.1', port: 1, token: 'old', viewerToken: 'looks', tokens: [], publicUrl: null }

function withHttp(http: Config['http']): Config {
  return {
    file: '/shipbell.yaml',
    accounts: [],
    subscriptions: [],
    delivery: { allowNetworks: [], retryMs: [] },
    retention: { payloadsMs: 1, ledgerMs: 1 },
    ping: null,
    storage: { kind: 'file', path: '/shipbell.db' },
    http,
    runtimeSubscriptions: null,
    log: { level: 'info' },
  }
}

describe('the admin interface at a reload', () => {
  test.each([
    ['a new token with a new address holds at the old address', { ...HTTP, port: 2, token: 'new' }, 'new'],
    ['a new address without a token leaves the old address its token', { ...HTTP, port: 2, token: null }, 'old'],
    ['an interface that is taken away keeps its token until the restart', null, 'old'],
  ] as const)('%s', (_, next, token) => {
    const live = new LiveConfig(withHttp(HTTP))
    expect(live.replace(withHttp(next))).toEqual(['http'])
    expect(live.config.http).toEqual({ ...HTTP, token })
    expect(live.secrets).toContain('old')
  })
})
