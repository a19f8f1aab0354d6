import { describe, expect, it } from 'vitest'
import type { EventType } from '../../../src/model/event-catalogue.ts'
import { bodiesAlike, messagesAlike } from '../../../src/operate/diff/outlines-alike.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { PEOPLES_CHANNEL } from '../../deliver/channels/peoples-channel.ts'
import {
  bodyWith,
  BODIES,
  channelsOf,
  compareBodies,
  compareMessages,
  EVENTS,
  KINDS,
  MEMORY,
  MESSAGES,
  neighbours,
  POSTED,
  READER,
  templateOf,
} from './outlines-compared.ts'

/** The long suite compares each template with every other, of every type and kind. */
const SOME = { events: EVENTS.filter((_, nth) => nth % 4 === 0), pairing: neighbours }

compareMessages(['slack', 'email', 'digest'], SOME)
compareBodies(SOME)

/** Of a digest, outlines say no more than what is the same. */
const ALONE = KINDS.filter((kind) => kind !== 'digest')

describe.each(ALONE)('messages to %s', (kind) => {
  const channelOf = channelsOf(kind)

  it('are alike where another template has an empty line', () => {
    const [old = ''] = MESSAGES
    const messages = messagesAlike(channelOf(old), channelOf(old?.replace('}}\n{%', '}}\n \n{%') ?? ''), MEMORY)
    expect(EVENTS.map((event) => messages.of(event.type)?.isAlike(() => event, READER))).toEqual(EVENTS.map(() => true))
  })

  it.each([
    ['an address', MESSAGES[0], MESSAGES[1]],
    ['a template that is gained', null, MESSAGES[0]],
    ['a template that is lost', MESSAGES[1], null],
    ['a variable of its own', MESSAGES[7], MESSAGES[8]],
  ])('are told apart without their records by %s', (_, old = null, other = null) => {
    const messages = messagesAlike(channelOf(old), channelOf(other), MEMORY)
    expect(messages.needsRecords).toBe(false)
    const ofShipments = EVENTS.filter(({ shipment }) => shipment !== null)
    expect(ofShipments.map((event) => messages.of(event.type)?.isAlike(() => event, READER))).toEqual(
      ofShipments.map(() => false),
    )
  })
})

describe.each([true, false])('bodies (JSON: %s)', (isJson) => {
  it.each([
    ['a field', BODIES[0], BODIES[1]],
    ['a variable of its own', BODIES[5], BODIES[6]],
  ])('are told apart without their records by %s', (_, old = '', other = '') => {
    const bodies = bodiesAlike(bodyWith(old, isJson), bodyWith(other, isJson), MEMORY)
    expect(bodies?.needsRecords).toBe(false)
    expect(EVENTS.map((event) => bodies?.isAlike(() => event, READER))).not.toContain(null)
  })
})

it('halves of characters are left to whole messages', () => {
  const event = { ...sampleEvent('shipment.eta_changed' satisfies EventType), extras: { half: '\ud800' } }
  const [old, other] = MESSAGES.map((source) => ({
    ...PEOPLES_CHANNEL,
    ...POSTED,
    kind: 'slack' as const,
    templates: new Map([[event.type, templateOf(source ?? '')]]),
  }))
  expect(
    old &&
      other &&
      messagesAlike(old, other, MEMORY)
        .of(event.type)
        ?.isAlike(() => event, READER),
  ).toBe(null)
})
