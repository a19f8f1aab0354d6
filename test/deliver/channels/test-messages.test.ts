import { describe, expect, it, test } from 'vitest'
import { previewBatch } from '../../../src/deliver/channels/channel-kinds.ts'
import type { PreviewContext } from '../../../src/deliver/channels/channel-kind.ts'
import { OperatorTemplate } from '../../../src/message/template/operator-template.ts'
import { sentenceOf } from '../../../src/message/message.ts'
import { EVENT_CATALOGUE, type EventType } from '../../../src/model/event-catalogue.ts'
import { eventLinks } from '../../../src/model/event-link.ts'
import { fullPayload } from '../../../src/model/payload.ts'
import { LANGUAGES } from '../../../src/model/reader.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { claimed, emailChannel } from './email/mailing.ts'
import { PEOPLES_CHANNEL } from './peoples-channel.ts'

const CHATS = ['slack', 'teams', 'google_chat', 'mattermost', 'rocketchat'] as const
const POSTED = { url: 'https://hooks.example/x', hidden: [], timeoutMs: 1_000, concurrency: 1 } as const
const CONTEXT: PreviewContext = {
  links: () => [{ to: 'platform', label: 'Open at the platform', url: 'https://platform.example/record' }],
}
const MARKS = { en: 'TEST: ', de: 'TEST: ', fr: 'TEST : ', nl: 'TEST: ', es: 'PRUEBA: ' } as const
const NOTES = { en: /a test/, de: /ein Test/, fr: /un essai/, nl: /een proef/, es: /una prueba/ } as const
const URGENT = /critical|kritisch|critique|kritiek|crítico/i

const triggered = (type: EventType) => claimed({ ...sampleEvent(type), cause: 'test' })

describe.each(LANGUAGES)('a test in %s', (language) => {
  it.each(['invoice.overdue', 'shipment.eta_changed', 'account.unreachable'] as const)(
    '%s says that it is one in subject, title and text of a mail, is not urgent and leads nowhere',
    (type) => {
      const { body, html, text } = previewBatch(emailChannel({ language }), [triggered(type)], CONTEXT)
      expect(body).toMatchObject({ subject: expect.stringContaining(MARKS[language]) })
      expect(text.startsWith(`Subject: ${MARKS[language]}`)).toBe(true)
      for (const part of [text, (html ?? '').replaceAll(/<style>[^]*?<\/style>/g, '')]) {
        expect(part.split(MARKS[language].trim()).length).toBeGreaterThan(1)
        expect(part).toMatch(NOTES[language])
        expect(part).not.toMatch(URGENT)
        expect(part).not.toContain('platform.example')
      }
    },
  )

  it.each(CHATS)('says so in %s', (kind) => {
    const channel = { ...PEOPLES_CHANNEL, ...POSTED, kind, language }
    const { body, text } = previewBatch(channel, [triggered('invoice.overdue')], CONTEXT)
    expect(text.startsWith(MARKS[language])).toBe(true)
    const posted = JSON.stringify(body)
    expect(posted).toContain(MARKS[language])
    expect(posted).toMatch(NOTES[language])
    expect(posted).not.toContain('platform.example')
    const real = JSON.stringify(previewBatch(channel, [claimed(sampleEvent('invoice.overdue'))], CONTEXT).body)
    expect(real).not.toContain(MARKS[language].trim())
    expect(real).toContain('platform.example')
  })

  it("says so whatever an operator's template says, and where several are one message", () => {
    const templates = new Map([['invoice.overdue' as const, new OperatorTemplate('own.liquid', 'Pay {{ it }} now')]])
    const channel = { ...PEOPLES_CHANNEL, ...POSTED, kind: 'slack' as const, language, templates }
    const tests = triggered('invoice.overdue')
    expect(previewBatch(channel, [tests], CONTEXT).text).toMatch(new RegExp(`^${MARKS[language]}Pay .*\\n.*`))
    const many = JSON.stringify(previewBatch(channel, [tests, tests, tests], CONTEXT).body)
    expect(many).toContain(`"text":"${MARKS[language]}`)
  })
})

test('no test has a link, whatever it is of', () => {
  const accounts = [{ name: 'acme', link: { invoice: 'https://platform.example/{id}' }, timeZone: 'UTC' }]
  for (const { type } of EVENT_CATALOGUE) {
    const event = { ...sampleEvent(type), account: 'acme' }
    expect(eventLinks({ ...event, cause: 'test' }, { http: { publicUrl: 'https://bell.example' }, accounts })).toEqual(
      [],
    )
  }
})

test('the sentence by itself stays as it is: lists of the desk and of commands show the cause', () => {
  const payload = fullPayload({ ...sampleEvent('invoice.overdue'), cause: 'test' })
  expect(sentenceOf(payload)).not.toMatch(/test/i)
})
