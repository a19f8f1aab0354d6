import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/model/reader.ts'
import { say, sayCount } from '../../src/serve/pages/languages/say.ts'
import { SAYINGS } from '../../src/serve/pages/languages/sayings.ts'
import { acceptedLanguage } from '../../src/serve/pages/parts/accepted-language.ts'
import { RequestViewer, viewedBy } from '../../src/serve/pages/parts/viewer.ts'
import { ask, type Answer } from './ask.ts'
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

  test('that there is not is said beside its field, and loses nothing', async () => {
    const { status, text } = await ask(sampleDesk().context, '/events?type=invoice.paid&lang=tlh', {
      'accept-language': 'de',
    })
    expect([status, text.includes('aria-describedby="language-problem"')]).toEqual([200, true])
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
    const different = rows.flatMap(([english, said]) =>
      Object.entries(said).flatMap(([language, text]) =>
        namesIn(text) === namesIn(english) ? [] : [`${language}: ${text}`],
      ),
    )
    expect(different).toEqual([])
  })

  test('is said by a page', () => {
    const sources = sourcesOf('src/serve').join('\n')
    const unsaid = rows.flatMap(([english]) => (isIn(sources, english) ? [] : [english]))
    expect(unsaid).toEqual([])
  })

  test.each(OTHERS)('is said in %s, or listed as lacking', (language) => {
    const gaps = [...rows.filter(([, said]) => said[language] === undefined).map(([english]) => english), ...untold()]
    if (gaps.length > 0) process.stdout.write(`${language}: pages fall back to English for:\n  ${gaps.join('\n  ')}\n`)
    if (IS_RELEASE) expect(gaps).toEqual([])
  })
})

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
