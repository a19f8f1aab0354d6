import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/model/reader.ts'
import { probedWords } from '../../src/report/retry-notes.ts'
import { remedyOf } from '../../src/report/remedy.ts'
import { retold } from '../../src/serve/pages/languages/retold.ts'
import { say, sayCount } from '../../src/serve/pages/languages/say.ts'
import { TOLD } from '../../src/serve/pages/languages/told.ts'
import { SAYINGS } from '../../src/serve/pages/languages/sayings.ts'
import { acceptedLanguage } from '../../src/serve/pages/parts/accepted-language.ts'
import { RequestViewer, viewedBy } from '../../src/serve/pages/parts/viewer.ts'
import { ask, linksOf, type Answer } from './ask.ts'
import { sampleDesk } from './sample-desk.ts'
import { faultsOf } from './valid-html.ts'

/** A release may not lag; `npm run release` asks for it by this variable. */
const IS_RELEASE = process.env['SHIPBELL_RELEASE'] === '1'
const OTHERS = LANGUAGES.filter((language) => language !== 'en')

function shownIn({ text }: Answer): string | undefined {
  return /<html lang="([^"]*)"/.exec(text)?.[1]
}

function speaking<Result>(language: string, make: () => Result): Result {
  const choice = { asked: null, kept: null }
  const parts = { zone: choice, language: { ...choice, accepted: language }, address: null, usualZone: () => 'UTC' }
  return viewedBy(new RequestViewer(parts), make)
}

describe('the language that a browser would rather read', () => {
  test.each([
    ['', 'en'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-ch', 'de'],
    ['ja, pt-BR;q=0.9', 'en'],
    ['ja, nl;q=0.3', 'nl'],
    ['en;q=0.7, fr;q=0.8, *;q=0.1', 'fr'],
    ['es, fr', 'es'],
    ['de;q=0, es;q=0.1', 'es'],
    ['de;q=0.000', 'en'],
    ['*', 'en'],
    ['de;q=many, ;;,,', 'de'],
    [`${'x,'.repeat(10_000)}de`, 'en'],
  ])('%s: %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language)
  })
})

describe('the language of a page', () => {
  test.each([
    { path: '/', accepted: '', cookie: '', language: 'en' },
    { path: '/', accepted: 'de-AT,de;q=0.9', cookie: '', language: 'de' },
    { path: '/', accepted: 'de', cookie: 'fr', language: 'fr' },
    { path: '/?lang=es', accepted: 'de', cookie: 'fr', language: 'es' },
    { path: '/?lang=', accepted: 'nl', cookie: 'fr', language: 'nl' },
    { path: '/', accepted: 'nl', cookie: 'klingon', language: 'nl' },
    { path: '/no-such-page', accepted: 'de', cookie: '', language: 'de' },
  ])('$path of a browser that accepts $accepted and chose $cookie: $language', async (each) => {
    const headers = { 'accept-language': each.accepted, cookie: `shipbell_lang=${each.cookie}` }
    const answer = await ask(sampleDesk().context, each.path, headers)
    expect(shownIn(answer)).toBe(each.language)
    expect(answer.headers.get('vary')).toBe('Accept-Language, Cookie')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await faultsOf(answer.text)).toEqual([])
  })

  test('is kept for the pages after it, until it is given up', async () => {
    const { context } = sampleDesk()
    const cookies = async (path: string) => (await ask(context, path)).headers.getSetCookie().join('\n')
    expect(await cookies('/events?lang=de')).toMatch(
      /^shipbell_lang=de; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/m,
    )
    expect(await cookies('/events?lang=')).toMatch(/^shipbell_lang=; Max-Age=0/m)
    expect(await cookies('/events?lang=tlh')).toBe('')
  })

  test('is that of the steps of a way, too', async () => {
    const { text } = await ask(sampleDesk().context, '/records/shipment/acme/SHP-1000', { 'accept-language': 'fr' })
    const steps = [...text.matchAll(/<h3>\s*<bdi>([^<]*)/g)].map(([, step]) => step)
    expect(steps).toEqual(expect.arrayContaining(['enlèvement', 'port de départ', 'port d’arrivée', 'livraison']))
  })

  test('that there is not is said beside its field, and loses nothing', async () => {
    const { status, text } = await ask(sampleDesk().context, '/events?type=invoice.paid&lang=tlh', {
      'accept-language': 'de',
    })
    expect([status, text.includes('aria-describedby="language-problem"')]).toEqual([422, true])
    expect(text).toContain('tlh</bdi> ist keine Sprache dieser Seiten')
    expect(text).toContain('<input type="hidden" name="type" value="invoice.paid"')
  })

  test('is none of what programs read', async () => {
    const { context } = sampleDesk()
    const events = async (language: string) =>
      (
        await ask(context, '/api/v1/events?limit=5', {
          'accept-language': language,
          cookie: `shipbell_lang=${language}`,
        })
      ).text
    expect(await events('de')).toBe(await events('en'))
  })
})

describe('a sentence of the desk', () => {
  test('is English where a language lacks it, with its values as they are', () => {
    expect(speaking('de', () => say('{n} of {m}: nobody says this', { n: 1, m: '{n}' }))).toBe(
      '1 of {n}: nobody says this',
    )
    expect(speaking('fr', () => sayCount(0, ['{n} unsaid', '{n} unsaids']))).toBe('0 unsaids')
  })

  test('calls a thing as messages do', () => {
    expect(speaking('de', () => [say('Carrier'), say('Purchase orders'), say('Acknowledge')])).toEqual([
      'Frachtführer',
      'Bestellungen',
      'Zur Kenntnis nehmen',
    ])
  })

  const rows = Object.entries(SAYINGS)

  test('has the same values in every language', () => {
    const different = [...rows, ...Object.entries(TOLD)].flatMap(([english, said]) =>
      Object.entries(said).flatMap(([language, text]) =>
        namesIn(text) === namesIn(english) ? [] : [`${language}: ${text}`],
      ),
    )
    expect(different).toEqual([])
  })

  test('is said by a page', () => {
    const sources = ['src/serve', 'src/report', 'src/deliver/channels'].flatMap(sourcesOf).join('\n')
    const unsaid = rows.flatMap(([english]) => (isIn(sources, english) ? [] : [english]))
    expect(unsaid).toEqual([])
  })

  test.each(OTHERS)('is said in %s, or listed as lacking', (language) => {
    const lacking = [...rows, ...Object.entries(TOLD)].filter(([, said]) => said[language] === undefined)
    const gaps = [...lacking.map(([english]) => english), ...untold()]
    if (gaps.length > 0) process.stdout.write(`${language}: pages fall back to English for:\n  ${gaps.join('\n  ')}\n`)
    if (IS_RELEASE) expect(gaps).toEqual([])
  })
})

describe('a page in another language', () => {
  const paths = [
    '/',
    '/system',
    '/records/shipment',
    '/records/invoice?due=any',
    '/records/shipment?lane=x&mode=1&open=x&arrives_after=x&arrives_before=x&sort=x&account=%22',
    '/records/invoice?due=x&lane=x',
    '/records/shipment/acme/SHP-1000',
    '/records/invoice/acme/INV-7001',
    '/search?q=chairs+shp',
    '/slips?days=30',
    '/reliability',
    '/events',
    '/deliveries',
    '/subscriptions',
    '/subscriptions/erp',
    '/subscriptions/ops',
    '/accounts',
    '/accounts/acme',
    '/accounts/globex',
    '/plan',
    '/no-such-page',
  ]

  test.each(OTHERS)('says no sentence in English: %s', async (language) => {
    const { context } = sampleDesk()
    const [one = ''] = linksOf((await ask(context, '/deliveries')).text, 'story')
    const [other = ''] = /\/deliveries\/[\w%.-]+/.exec((await ask(context, one)).text) ?? []
    const english: string[] = []
    for (const path of [...paths, one, other]) {
      const [said, own] = [await ask(context, path), await ask(context, path, { 'accept-language': language })]
      const texts = new Set(textsOf(said.text))
      english.push(
        ...textsOf(own.text)
          .filter((text) => texts.has(text) && isEnglish(text))
          .map((text) => `${path}: ${text}`),
      )
    }
    expect(english).toEqual([])
  })
})

describe('a sentence that was said in English', () => {
  const errors: readonly (readonly [status: number | null, error: string])[] = [
    ...[301, 401, 404, 413, 408, 429, 535, 422, 503].map(
      (status) => [status, `https://a.example answered ${status}`] as const,
    ),
    [null, 'https://a.example did not answer within 10s'],
    [null, 'https://a.example refused the connection (ECONNREFUSED)'],
    [null, 'The host name of https://a.example cannot be resolved (ENOTFOUND)'],
    [null, 'Nothing was sent to https://a.example: it is private'],
    [null, 'something else altogether'],
  ]

  test.each(OTHERS)('is said again in %s, with what it holds of others', (language) => {
    const remedies = errors.flatMap(([status, error]) =>
      (['pending', 'exhausted'] as const).map((state) => remedyOf({ subscription: 'erp', status, error, state })),
    )
    const said = [
      ...remedies,
      ...errors.slice(0, -1).map(([, error]) => error),
      probedWords({ subscription: 'erp', failuresInARow: 7 }),
      `erp failed 7 times in a row: ${errors[0]?.[1]}.`,
    ]
    const again = speaking(language, () => said.map(retold))
    const left = said.flatMap((text, nth) =>
      text.split(/(?<=[.:]) (?=[A-Z])/).filter((part) => again[nth]?.includes(part) === true),
    )
    expect(left).toEqual([])
    expect(again.every((text, nth) => text.includes('erp') === said[nth]?.includes('erp'))).toBe(true)
  })

  test('calls an endpoint and secrets so, too', () => {
    const said = ['The endpoint refused the connection (ECONNREFUSED)', 'one secret', '2 secrets']
    expect(speaking('de', () => said.map(retold))).toEqual([
      'Der Endpunkt wies die Verbindung ab (ECONNREFUSED)',
      'einem Geheimnis',
      '2 Geheimnissen',
    ])
  })

  test('writes amounts as the language does', () => {
    const said = '3,000 requests per 1m, 35% of it, so 63,000.5 an hour'
    const sampled = '0 of 1,200 differed; at most 31.20 % with 95 % confidence'
    expect(speaking('de', () => [said, sampled].map(retold))).toEqual([
      '3.000 Anfragen je 1m, 35% davon, also 63.000,5 je Stunde',
      '0 von 1.200 wichen ab; höchstens 31,20 % bei 95 % Sicherheit',
    ])
  })

  test('is English in English, where no language has it, and where it is somebody else’s', () => {
    const own = 'erp failed once: it does not like Mondays.'
    expect(speaking('en', () => retold(own))).toBe(own)
    expect(speaking('de', () => retold(own))).toBe('erp schlug einmal fehl: it does not like Mondays.')
    const others = [
      '',
      'Nobody says this. Nor that.',
      ' of '.repeat(10_000),
      '{n} of {all}',
      'is disabled ('.repeat(90),
      'The receiver itself fails: look at its log. '.repeat(30),
    ]
    expect(others.filter((text) => speaking('de', () => retold(text)) !== text)).toEqual([])
  })
})

const ENGLISH_WORDS = /\b(?:the|is|are|of|to|it|not|by|no|and|that|was|were|what|which|its|for|with|from|has|does)\b/gi

/** What the records of the sample are called, and what somebody noted. */
const SAID_BY_OTHERS = /^(?:LED downlights with drivers to|The carrier was called)/

/** Two words that hold English together are a sentence of it, or next to one. */
function isEnglish(text: string): boolean {
  return !SAID_BY_OTHERS.test(text) && (text.match(ENGLISH_WORDS)?.length ?? 0) >= 2
}

/** The texts of a page, but for code, what records say and the rule behind the proof of an event, which is that of the documentation. */
function textsOf(html: string): readonly string[] {
  const shown = html.replaceAll(
    /<(code|pre|bdi class="long"|script|iframe)\b[^>]*>[\s\S]*?<\/(?:code|pre|bdi|script|iframe)\s*>/g,
    ' ',
  )
  const attributes = [...shown.matchAll(/\s(?:aria-label|placeholder|data-label)="([^"]*)"/g)].map(
    ([, value = '']) => value,
  )
  const body = shown.replaceAll(/<details class="proof"[\s\S]*?<\/details\s*>/g, ' ')
  return [...body.split(/<[^>]*>/), ...attributes]
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
}

/** Sentences that pages hand to `say` and that no language has, nor messages have a name for. */
function untold(): readonly string[] {
  const handed = sourcesOf('src/serve').flatMap((text) =>
    [...text.matchAll(/\bsay(?:Around)?\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`$]*)`)/g)].map(
      ([, one, other]) => one ?? other ?? '',
    ),
  )
  return [...new Set(handed)].filter((english) => !isTold(english))
}

function isTold(english: string): boolean {
  return (
    Object.hasOwn(SAYINGS, english) || OTHERS.some((language) => speaking(language, () => say(english)) !== english)
  )
}

function isIn(sources: string, english: string): boolean {
  const escaped = english.replaceAll("'", String.raw`\'`)
  return (
    [`'${escaped}'`, `"${english}"`, `\`${english}\``].some((literal) => sources.includes(literal)) ||
    isKey(sources, english)
  )
}

/** A word that stands as a name in a table of the code. */
function isKey(sources: string, english: string): boolean {
  return /^\w+$/.test(english) && new RegExp(`\\b${english}:`).test(sources)
}

/** The texts of the code of a folder, but for the tables themselves. */
function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('-sayings.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
}

/** The names of values; a capital says that one stands at the beginning. */
function namesIn(text: string): string {
  return [...new Set(text.toLowerCase().match(/\{\w+\}/g))].toSorted().join(' ')
}
