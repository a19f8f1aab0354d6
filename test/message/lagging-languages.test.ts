import { expect, it } from 'vitest'
import { GERMAN_SENTENCES } from '../../src/message/languages/de/sentences.ts'
import { TRANSLATIONS, withEnglish } from '../../src/message/languages/translations.ts'
import { messageOf, sentenceOf } from '../../src/message/message.ts'
import { AS_SENT, wordingOf } from '../../src/message/wording/wording.ts'
import { fullPayload } from '../../src/model/payload.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { translationGaps } from './translation-gaps.ts'

const IN_BERLIN = { language: 'de', timeZone: 'Europe/Berlin' } as const
const CHANGED = fullPayload(sampleEvent('shipment.eta_changed'))

/** A release may not lag; `npm run release` asks for it by this variable. */
const IS_RELEASE = process.env['SHIPBELL_RELEASE'] === '1'

it.each(Object.entries(TRANSLATIONS))('%s says all that English says, or lists what it still lacks', (name, own) => {
  const gaps = translationGaps(own)
  if (gaps.length > 0) process.stdout.write(`${name} falls back to English for:\n  ${gaps.join('\n  ')}\n`)
  if (IS_RELEASE) expect(gaps).toEqual([])
})

it('names each sentence, word, label and text that a language lacks', () => {
  const { lines, sentences, terms } = TRANSLATIONS.de
  const { 'shipment.rolled': rolled, ...otherSentences } = sentences
  const { route, ...labels } = terms.labels ?? {}
  const { booked, ...words } = terms.words ?? {}
  const { colon, ...otherTerms } = terms
  expect([rolled, route, booked, colon]).not.toContain(undefined)
  const lacked = new Set(translationGaps(TRANSLATIONS.de))
  const gaps = translationGaps({ lines, sentences: otherSentences, terms: { ...otherTerms, labels, words } })
  expect(gaps.filter((gap) => !lacked.has(gap))).toEqual([
    'sentences/shipment.rolled',
    'terms/words/booked',
    'terms/labels/route',
    'terms/colon',
  ])
})

it('a sentence that a language lacks is English throughout, on the clock of the reader; its facts stay in the language', () => {
  const english = sentenceOf(CHANGED, wordingOf({ ...IN_BERLIN, language: 'en' }))
  const german = messageOf(CHANGED, { wording: wordingOf(IN_BERLIN) })
  const { sentence, facts } = withoutGerman('shipment.eta_changed', () =>
    messageOf(CHANGED, { wording: wordingOf(IN_BERLIN) }),
  )
  expect(sentence).toBe(english)
  expect(sentence).toBe(
    'Arrival (ETA) of Spring collection (SHP-1) moved 3 days later, from Sat 12 Dec 2026, 11:00 CET to Tue 15 Dec 2026, 11:00 CET.',
  )
  expect(facts).toEqual(german.facts)
  expect(sentenceOf(CHANGED, wordingOf(IN_BERLIN))).toBe(german.sentence)
})

it('a term that a language lacks is the English one, beside its own', () => {
  const terms = withEnglish({ colon: ' : ', labels: { from: 'Von' }, words: { booked: 'gebucht' } })
  const { labels, words } = AS_SENT.terms
  expect(terms).toEqual({
    ...AS_SENT.terms,
    colon: ' : ',
    labels: { ...labels, from: 'Von' },
    words: { ...words, booked: 'gebucht' },
  })
})

/** Runs `act` while German has no sentence for a type. */
function withoutGerman<Result>(type: keyof typeof GERMAN_SENTENCES, act: () => Result): Result {
  const own = GERMAN_SENTENCES[type]
  Reflect.deleteProperty(GERMAN_SENTENCES, type)
  try {
    return act()
  } finally {
    Object.assign(GERMAN_SENTENCES, { [type]: own })
  }
}
