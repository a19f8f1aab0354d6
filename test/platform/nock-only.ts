import nock from 'nock'
import { afterEach, beforeEach, expect } from 'vitest'
import type { PlatformClient } from '../../src/platform/platform.ts'
import { clientOf } from './client-of.ts'

/**
 * A client of `host` for each test of the file, with nock as the only network. A request that nock does not expect fails the
 * test (it would answer 501), and so does an answer that nobody asked for.
 */
export function nockOnly(host: string): { readonly platform: PlatformClient } {
  let platform: PlatformClient | null = null
  let unmatched = 0
  const countUnmatched = (): void => {
    unmatched += 1
  }
  beforeEach(() => {
    unmatched = 0
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
    nock.emitter.on('no match', countUnmatched)
    platform = clientOf(host)
  })
  afterEach(async () => {
    await platform?.[Symbol.asyncDispose]()
    const pending = nock.pendingMocks()
    nock.emitter.off('no match', countUnmatched)
    nock.cleanAll()
    nock.enableNetConnect()
    nock.restore()
    expect({ unmatched, pending }).toEqual({ unmatched: 0, pending: [] })
  })
  return {
    get platform() {
      if (platform === null) throw new Error('the client lives only while a test runs')
      return platform
    },
  }
}
