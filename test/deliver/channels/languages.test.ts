import { describe, expect, it } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import type { PreviewContext } from '../../../src/deliver/channels/channel-kind.ts'
import type { Batch } from '../../../src/deliver/batches.ts'
import { LANGUAGES } from '../../../src/model/reader.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { claimed, emailChannel } from './email/mailing.ts'
import { PEOPLES_CHANNEL } from './peoples-channel.ts'

const CHATS = ['slack', 'teams', 'google_chat', 'mattermost', 'rocketchat'] as const
const POSTED = { url: 'https://hooks.example/x', hidden: [], timeoutMs: 1_000, concurrency: 1 } as const
const DIGEST = { atMinutes: 480, timeZone: 'Europe/Paris' }
const TYPES = ['invoice.overdue', 'shipment.eta_changed', 'shipment.delivered', 'shipment.container_added'] as const
const ENGLISH =
  /\b(?:critical|warnings?|good news|for information|events?|falling due|falls due|sent by|open in|later|earlier|to)\b/i

const CONTEXT: PreviewContext = {
  links: () => [{ to: 'desk', label: 'Open in Shipbell', url: 'https://bell.example/e' }],
  zoneOf: () => 'Europe/Paris',
}

function batchOf(count: number): Batch {
  const events = TYPES.flatMap((type) => Array.from({ length: count }, (_, index) => ({ type, index })))
  const [first, ...rest] = events.map(({ type, index }) => {
    const sample = sampleEvent(type)
    return claimed({ ...sample, id: `e${index}`, subject: { ...sample.subject, id: `S${type.length}-${index}` } })
  })
  if (first === undefined) throw new Error('a batch holds something')
  return [first, ...rest]
}

/** Without what is no language: ids, types, names and what records say. */
function own(text: string): string {
  return text
    .replaceAll(/<style>[^]*?<\/style>|<[^>]*>/g, ' ')
    .replaceAll(
      /shipbell events list|Open Top|[a-z_]+\.[a-z_]+|Spring collection|Example Line|to-[a-z]+|Flat Rack/gi,
      ' ',
    )
    .replaceAll(/https?:\S+/g, ' ')
}

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  const shared = language === 'nl' ? /\blater\b/gi : /(?!)/g

  it.each([1, 60])('a digest of %d events of each type has no English around what records say', (count) => {
    const channel = emailChannel({ language, digest: DIGEST, timeZone: 'Europe/Paris' })
    const { text, html } = previewBatch(channel, batchOf(count), CONTEXT)
    for (const each of [text, html ?? '']) expect(own(each).replaceAll(shared, '')).not.toMatch(ENGLISH)
    expect(html).toContain(`<html lang="${language}"`)
  })

  it('neither has a mail about one event', () => {
    const { text } = previewBatch(emailChannel({ language }), [batchOf(1)[0]], CONTEXT)
    expect(own(text)).not.toMatch(ENGLISH)
  })

  it.each(CHATS.flatMap((kind) => [1, 60].map((count) => [kind, count] as const)))(
    'nor a message in %s about %d events of each type',
    (kind, count) => {
      const { text, body } = previewBatch({ ...PEOPLES_CHANNEL, ...POSTED, kind, language }, batchOf(count), CONTEXT)
      const shown = JSON.stringify(body).replaceAll(/"(?:[a-zA-Z_]+)":|Warning|warning|good|Good/g, ' ')
      for (const each of [text, shown]) expect(own(each).replaceAll(shared, '')).not.toMatch(ENGLISH)
    },
  )
})
