import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../src/clock.ts'
import { openChannel } from '../../../../src/deliver/channels/channel-kinds.ts'
import type { Channel } from '../../../../src/deliver/channels/channel.ts'
import { RenderedBodies } from '../../../../src/deliver/rendered-bodies.ts'
import { issueCertificate } from '../../../support/certificate.ts'
import { FickleServer } from '../../../support/fickle-server.ts'
import { sampleBatch } from '../../sample-event.ts'
import { PEOPLES_CHANNEL } from '../peoples-channel.ts'

const NEVER = new AbortController().signal

function slackAt(url: string): Channel {
  const sender = openChannel(
    { kind: 'slack', url, hidden: [], ...PEOPLES_CHANNEL, timeoutMs: 5_000, concurrency: 1 },
    {
      clock: systemClock,
      version: '9.9.9',
      allowNetworks: ['127.0.0.0/8'],
      secrets: () => [],
      bodies: new RenderedBodies(),
    },
  )
  onTestFinished(async () => await sender[Symbol.asyncDispose]())
  return sender
}

describe('a connection to Slack', () => {
  it('that no trusted authority vouches for is explained by what this channel has', async () => {
    const server = await FickleServer.start(() => 'answered', issueCertificate({ name: 'slack', hosts: ['127.0.0.1'] }))
    const origin = `https://127.0.0.1:${server.port}`
    expect(await slackAt(`${origin}/services/T/B/X`).send(sampleBatch(), NEVER)).toHaveProperty(
      'error',
      `No trusted authority stands behind the certificate of ${origin} (DEPTH_ZERO_SELF_SIGNED_CERT): where it is your own, put it into the system's trust store`,
    )
  })

  it('that closes as it is used again is replaced', async () => {
    const server = await FickleServer.start(({ request }) => (request === 0 ? 'answered' : 'closed'))
    const sender = slackAt(`http://127.0.0.1:${server.port}/services/T/B/X`)
    await sender.send(sampleBatch(), NEVER)
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    await sender.send(sampleBatch(), NEVER)
    expect(server.arrivals.map(({ connection, request }) => `${connection}.${request}`)).toEqual(['0.0', '0.1', '1.0'])
  })
})
