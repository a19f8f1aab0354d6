import { describe, expect, test } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import { RenderedBodies } from '../../../src/deliver/rendered-bodies.ts'
import { withoutOmitted } from '../../../src/model/omit.ts'
import type { ChannelSettings, Subscription } from '../../../src/model/subscription.ts'
import type { FeedQuery } from '../../../src/store/ports/feed-port.ts'
import { feedBytes, feedShape, readFeed } from '../../../src/report/feed.ts'
import { route } from '../../../src/route/route.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { subscription } from '../../support/subscription.ts'
import { webhookChannel } from '../../support/webhook-channel.ts'
import { claimed, emailChannel } from './email/mailing.ts'
import { PEOPLES_CHANNEL } from './peoples-channel.ts'

const POSTED = { url: 'https://hooks.example/x', hidden: [], timeoutMs: 1_000, concurrency: 1 } as const
const CHANNELS: readonly ChannelSettings[] = [
  webhookChannel(),
  emailChannel(),
  { ...PEOPLES_CHANNEL, ...POSTED, kind: 'slack' },
  { kind: 'svix', token: 't', server: 'https://svix.example', app: 'acme', ...POSTED },
]

function taking(omit: readonly string[]): Subscription {
  return subscription('erp', { channel: { ...webhookChannel(), omit } })
}

describe('a subscription that leaves something out', () => {
  test.each(CHANNELS)('never shows it: $kind', (channel) => {
    const event = sampleEvent('shipment.eta_changed')
    const shown = (omit?: readonly string[]): string =>
      JSON.stringify(previewBatch(omit === undefined ? channel : { ...channel, omit }, [claimed(event)], {}))
    expect(shown()).toContain('Spring collection')
    expect(shown(['/name'])).not.toContain('Spring collection')
    expect(shown(['invoice:/name'])).toContain('Spring collection')
  })

  test('has no row for an event of which no change is left, and `where` sees all', () => {
    const event = sampleEvent('shipment.eta_changed')
    expect(route([event], [taking(['/main_tracking_dates'])]).deliveries).toEqual([])
    expect(route([event], [taking(['invoice:/main_tracking_dates'])]).deliveries).toHaveLength(1)
    const seen: unknown[] = []
    const filter = {
      expression: 'true',
      judge: (payload: unknown) => {
        seen.push(payload)
        return { kind: 'match' } as const
      },
    }
    expect(route([event], [{ ...taking(['/name']), filter }]).deliveries).toHaveLength(1)
    expect(JSON.stringify(seen)).toContain('Spring collection')
  })

  test('shares no bytes with one that does not', () => {
    const [bodies, event, omit] = [new RenderedBodies(), sampleEvent('shipment.eta_changed'), ['/name']]
    const whole = bodies.of(event, webhookChannel())
    const left = bodies.of(withoutOmitted(event, omit), { ...webhookChannel(), omit })
    expect(String(whole.bytes)).toContain('Spring collection')
    expect(String(left.bytes)).not.toContain('Spring collection')
    expect(bodies.of(event, webhookChannel())).toBe(whole)
  })

  test.each(CHANNELS)('shows no more in its feed: $kind', async (channel) => {
    const event = { ...sampleEvent('shipment.eta_changed'), expiredAt: null }
    const item = { position: 1, state: 'pending', event } as const
    const store = {
      feedPart: async ({ after }: FeedQuery) => ({
        series: 's',
        endedTo: 0,
        first: 1,
        head: 1,
        items: after < 1 ? [item] : [],
      }),
    }
    const shown = async (settings: ChannelSettings): Promise<string> => {
      const shape = feedShape({ channel: settings })
      const feed = await readFeed(store, { subscription: 'erp', after: 0, limit: 1, shape })
      return feed === null ? '' : String(feedBytes(feed))
    }
    expect(await shown(channel)).toContain('Spring collection')
    expect(await shown({ ...channel, omit: ['/name'] })).not.toContain('Spring collection')
  })
})
