import { filled, localeOf, wordingOf } from '../../../message/wording/wording.ts'
import { WATCHABLES } from '../../../model/resource.ts'
import { viewer } from '../parts/viewer.ts'
import { TOLD } from './told.ts'

/** An English sentence with `{names}`, taken apart: a literal, a name, a literal, a name, a literal. */
interface Pattern {
  readonly english: string
  readonly literals: readonly string[]
  readonly names: readonly string[]
}

const PATTERNS: readonly Pattern[] = Object.keys(TOLD)
  .map((english) => {
    const parts = english.split(/\{(\w+)\}/)
    return {
      english,
      literals: parts.filter((_, nth) => nth % 2 === 0),
      names: parts.filter((_, nth) => nth % 2 === 1),
    }
  })
  // What says more of its own words says more exactly what is meant.
  .toSorted((one, other) => lengthOf(other) - lengthOf(one))

function lengthOf({ literals }: Pattern): number {
  return literals.reduce((sum, literal) => sum + literal.length, 0)
}

/** Longer ones are no sentence of ours: somebody else's words are in them. */
const LONGEST = 2_000
/** What has more sentences is none of ours either: each is compared with every pattern. */
const MOST_SENTENCES = 20
/** How deep a sentence may stand in another. */
const DEEPEST = 3
const BETWEEN_SENTENCES = /(?<=[.!?:]) (?=[A-Z`])/

/**
 * A sentence that Shipbell said in English where nobody's language is known, maybe long ago, in the language of whoever looks. What
 * it holds of others, and a sentence that no language has, stay as they are.
 */
export function retold(english: string): string {
  return viewer().language === 'en' || english.length > LONGEST ? english : saidAgain(english, 0)
}

function saidAgain(english: string, depth: number): string {
  const whole = toldAs(english, depth)
  if (whole !== null) return whole
  const sentences = english.split(BETWEEN_SENTENCES)
  return sentences.length === 1 || sentences.length > MOST_SENTENCES
    ? english
    : sentences.map((each) => toldAs(each, depth) ?? each).join(' ')
}

function toldAs(english: string, depth: number): string | null {
  const { language } = viewer()
  if (language === 'en') return english
  for (const pattern of PATTERNS) {
    const values = valuesIn(english, pattern)
    const own = values === null ? undefined : TOLD[pattern.english]?.[language]
    if (values !== null && own !== undefined) return filled(own, withSaid(values, depth))
  }
  return null
}

type Values = Readonly<Record<string, string>>

/**
 * Values of which some are words of ours themselves: sentences where their names begin with `said`, lists where they begin with `list`, and
 * `server`, which may be `The endpoint`. Amounts are written as the language does.
 */
function withSaid(values: Values, depth: number): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (name.startsWith('list')) return [name, value.split(', ').map(listText).join(', ')]
      if (AMOUNTS.has(name)) return [name, amountAgain(value)]
      const isSaid = name.startsWith('said') || name === 'server'
      return [name, isSaid && depth < DEEPEST ? saidAgain(value, depth + 1) : value]
    }),
  )
}

/** What amounts and shares are called in patterns. */
const AMOUNTS = new Set(['n', 'all', 'requests', 'part'])
const ENGLISH_AMOUNT = /^(\d[\d,]{0,14})(\.\d{1,9})?( ?%)?$/

/** `31.23 %` as `31,23 %`; what is no such number stays as it is. */
function amountAgain(value: string): string {
  const [, whole, decimals = '', unit = ''] = ENGLISH_AMOUNT.exec(value) ?? []
  if (whole === undefined) return value
  const amount = Number(`${whole.replaceAll(',', '')}${decimals}`)
  const minimumFractionDigits = Math.max(decimals.length - 1, 0)
  return `${amount.toLocaleString(localeOf(viewer()), { useGrouping: 'always', minimumFractionDigits })}${unit}`
}

/** What is watched, as messages call it: `purchase orders`, `Bestellungen`. */
function listText(name: string): string {
  const watched = WATCHABLES.find((each) => each === name.replaceAll(' ', '_'))
  return watched === undefined ? name : wordingOf(viewer()).terms.watched[watched].many
}

/** What stands for the names; null: the text is no such sentence. Each value ends where what follows it first does. */
function valuesIn(text: string, { literals, names }: Pattern): Values | null {
  const [begin = '', ...others] = literals
  if (!text.startsWith(begin)) return null
  const values: Record<string, string> = {}
  let at = begin.length
  for (const [nth, name] of names.entries()) {
    const behind = others[nth] ?? ''
    const isLast = nth === names.length - 1
    const end = isLast ? text.length - behind.length : text.indexOf(behind, at + 1)
    if (end <= at || (isLast && !text.endsWith(behind))) return null
    values[name] = text.slice(at, end)
    at = end + behind.length
  }
  return at === text.length ? values : null
}
