import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRENCH_SENTENCES } from '../../src/message/languages/fr/sentences.ts'
import { sayingOf } from '../../src/message/languages/sentences.ts'
import { messageOf, sentenceOf } from '../../src/message/message.ts'
import { wordingOf } from '../../src/message/wording/wording.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { isJsonObject, type Json } from '../../src/model/json.ts'
import { fullPayload, standardPayload } from '../../src/model/payload.ts'
import { LANGUAGES, type Language } from '../../src/model/reader.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'

const TYPES = EVENT_CATALOGUE.map(({ type }) => type)
const OTHERS = LANGUAGES.filter((language) => language !== 'en')

/** Words that English and a language share, and what programs are called. */
const SHARED: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(),
  de: new Set(['eta', 'etd', 'container', 'problem', 'position', 'test', 'in']),
  fr: new Set(['eta', 'etd', 'document', 'position', 'machine', 'interface', 'date', 'configuration']),
  nl: new Set(
    'eta etd container document account is over in tracking machine interface platform record locatie'.split(' '),
  ),
  es: new Set(['eta', 'etd', 'no']),
}
const COMMANDS = /`shipbell[^`]*`|`where`/g

function wording(language: Language) {
  return wordingOf({ language, timeZone: 'Europe/Paris' })
}

/** The words of a template's own text. */
function ownWords(template: string): readonly string[] {
  const text = template.replaceAll(COMMANDS, ' ').replaceAll(/\{[{%].*?[%}]\}/g, ' ')
  return text.toLowerCase().match(/\p{L}{2,}/gu) ?? []
}

function variables(template: string): readonly string[] {
  return [...new Set(template.match(/\b(?:it|data(?:\.\w+)*)\b/g))].sort()
}

describe.each(OTHERS)('in %s', (language) => {
  const translated = TYPES.filter((type) => sayingOf(type, language).language === language)

  it.each(translated)('%s is said in words of its own, about the same values', (type) => {
    const [english, said] = [sayingOf(type, 'en').say, sayingOf(type, language).say]
    expect(variables(said)).toEqual(variables(english))
    const left = ownWords(said).filter((word) => ownWords(english).includes(word) && !SHARED[language].has(word))
    expect(left).toEqual([])
  })

  it.each(translated)('%s reads well, thin and full', (type) => {
    const full = fullPayload(sampleEvent(type))
    const data = isJsonObject(full['data'] ?? null) ? full['data'] : {}
    const thin = Object.fromEntries(
      Object.entries(data ?? {}).filter(([name]) => !['object', 'previous', 'changes'].includes(name)),
    )
    expect(sentenceOf(full, wording(language))).not.toBe(sentenceOf(full, wording('en')))
    for (const payload of [full, { ...full, data: thin }]) {
      const sentence = sentenceOf(payload, wording(language))
      expect(sentence).toMatch(/^[^\s.,:;].*[^\s.]\.$/)
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|[{}]|: \.|  | ,/)
    }
  })

  it('every word and label of its own catalogue keeps the values of the English one', () => {
    const [english, own] = [wording('en').terms, wording(language).terms].map((terms) => texts({ ...terms, words: {} }))
    expect([...(own ?? [])].map(([name, text]) => [name, placeholders(text)])).toEqual(
      [...(english ?? [])].map(([name, text]) => [name, placeholders(text)]),
    )
  })

  it('what is due is not called overdue', () => {
    const { words } = wording(language).terms
    expect(words['due']).not.toMatch(/vencid|vervallen|überfällig|retard/i)
  })

  it('a sentence without a name before it begins with a capital', () => {
    const late = fullPayload(sampleEvent('shipment.milestone_overdue'))
    expect(sentenceOf(late, wording(language))).toMatch(/^\p{Lu}/u)
  })

  it('no word of a label is longer than the column that a mail has for it', () => {
    const { labels } = wording(language).terms
    const words = Object.values(labels).flatMap((label) => label.split(/[ -]/))
    expect(words.filter((word) => word.length > 14)).toEqual([])
  })

  it('a name that is a template or a placeholder stays text', () => {
    const payload = standardPayload(sampleEvent('shipment.eta_changed'))
    const name = '{{ data | json }} {from} {% include "x" %} $& $1'
    const shipment = { id: 'SHP-1', name }
    const about = payload['data']
    const data = { ...(about !== undefined && isJsonObject(about) ? about : {}), shipment }
    const { facts, sentence } = messageOf({ ...payload, data }, { wording: wording(language) })
    expect(sentence).toContain(name)
    expect(facts.find((fact) => fact.name === 'shipment')?.value).toContain(name)
  })
})

function texts(value: Json | object, name = ''): ReadonlyMap<string, string> {
  if (typeof value === 'string') return new Map([[name, value]])
  return new Map(Object.entries(value ?? {}).flatMap(([key, each]) => [...texts(each, `${name}/${key}`)]))
}

function placeholders(text: string): readonly string[] {
  return (text.match(/\{\w+\}/g) ?? []).toSorted()
}

it.each([
  ['de', 'Ankunft (ETA) von Spring collection (SHP-1) jetzt 3 Tage später: von Sa., 12. Dez. 2026, 11:00 MEZ auf'],
  ['fr', 'Arrivée (ETA) de Spring collection (SHP-1) : 3\u00A0jours plus tard, du sam. 12 déc. 2026, 11:00 UTC+1 au'],
  ['nl', 'Aankomst (ETA) van Spring collection (SHP-1) nu 3 dagen later: van za 12 dec 2026, 11:00 CET naar'],
  ['es', 'Llegada (ETA) de Spring collection (SHP-1): 3 días más tarde, de sáb, 12 dic 2026, 11:00 CET a'],
] as const)('%s has its own dates and numbers', (language, begin) => {
  const say = (type: (typeof TYPES)[number]) =>
    messageOf(fullPayload(sampleEvent(type)), { wording: wording(language) })
  expect(say('shipment.eta_changed').sentence.startsWith(begin)).toBe(true)
  expect(say('invoice.created').sentence).toMatch(/1[.\u202F]250,50/)
})

it.each([
  ['de', 'fällig'],
  ['fr', 'exigible'],
  ['nl', 'te betalen'],
  ['es', 'pendiente de pago'],
] as const)('in %s an invoice that is due is not called overdue', (language, word) => {
  const due = fullPayload(sampleEvent('invoice.status_changed'))
  expect(sentenceOf(due, wording(language))).toContain(word)
  expect(wording(language).terms.words.due).toBe(word)
})

it.each(LANGUAGES)('in %s a sentence begins with a capital letter', (language) => {
  const named = /^(?:Spring collection|packing-list)/
  for (const type of TYPES) {
    const sentence = sentenceOf(fullPayload(sampleEvent(type)), wording(language))
    if (!named.test(sentence)) expect(sentence).toMatch(/^\p{Lu}/u)
  }
})

it('labels, statuses and modes of a fact are in the language, and values of the platform as they are', () => {
  const { facts } = messageOf(fullPayload(sampleEvent('shipment.eta_changed')), { wording: wording('de') })
  expect(facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Von: Sa., 12. Dez. 2026, 11:00 MEZ',
    'Auf: Di., 15. Dez. 2026, 11:00 MEZ',
    'Verschiebung: 3 Tage später',
    'Erster Termin: Do., 10. Dez. 2026, 11:00 MEZ',
    'Sendung: Spring collection (SHP-1)',
    'Strecke: Shanghai (CNSHA) → Le Havre (FRLEH)',
    'Transportart: Seefracht',
    'Frachtführer: Example Line, Ever Given, Reise 12E',
    'Status: unterwegs',
    'Container: MSCU1234567',
    'Bestellungen: PO-1, PO-2',
    'Frachtbriefe: MAEU123 / HB-77',
    'Konto: acme',
  ])
})

it('an unknown status stays readable in every language', () => {
  const payload = standardPayload(sampleEvent('shipment.status_changed'))
  for (const language of OTHERS)
    expect(sentenceOf({ ...payload, data: { from: 'toString', to: 'at_customs' } }, wording(language))).toMatch(
      /toString.*at customs/,
    )
})

it('a type of a later version is told by its subject in every language', () => {
  for (const language of OTHERS)
    expect(sentenceOf({ type: 'shipment.teleported', subject: { id: 'S-1' } }, wording(language))).toBe('S-1.')
})

it('whatever a payload holds, it is told in a bounded sentence', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(
      fc.constantFrom(...OTHERS),
      fc.constantFrom(...TYPES),
      fc.tuple(value, value),
      (language, type, values) => {
        const [data, subject] = values
        const payload: Json = JSON.parse(JSON.stringify({ type, data, subject }))
        const message = messageOf(payload, { wording: wording(language) })
        expect(message.sentence.length).toBeLessThan(2_000)
        for (const { value: shown } of message.facts) expect(shown.length).toBeLessThanOrEqual(300)
      },
    ),
  )
})

it('French knows its genders', () => {
  expect(FRENCH_SENTENCES['document.removed']).toContain('présent sur')
  expect(FRENCH_SENTENCES['invoice.removed']).toContain('présente sur')
})
