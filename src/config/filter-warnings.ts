import { EVENT_CATALOGUE, type EventType } from '../model/event-catalogue.ts'
import type { JsonObject } from '../model/json.ts'
import type { Filter } from '../model/subscription.ts'
import { compileFilter } from '../route/filter/compile-filter.ts'
import { exploreFilter, type StrangePart } from '../route/filter/explore-filter.ts'
import { matchesPatterns } from '../route/matches.ts'
import { KNOWN_WORDS } from '../samples/known-words.ts'
import { samplePayload } from '../samples/sample-payload.ts'
import { isLiteral, nodeAt, placeWithin, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { listed } from './names.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Problem } from './problem.ts'

/**
 * What a `where` asks for in vain: a field that no sample of the events of its subscription has, a word that a field never
 * is, or what cannot be judged on any sample, so that all of them would be sent. Platforms have fields of their own, so it is
 * a warning, and none where the expression asks `has(…)`.
 */
export function filterWarnings({ subscriptions }: Config, root: ConfigNode): readonly Problem[] {
  const samples = new Samples()
  const filtered = subscriptions.flatMap(({ name, filter, events }) =>
    filter === null ? [] : [{ node: nodeAt(root, ['subscriptions', name, 'where']), filter, events }],
  )
  return [...Map.groupBy(filtered, ({ node }) => node)].flatMap(([node, takers]) => {
    const [first] = takers
    if (first === undefined) return []
    const events = [...new Set(takers.flatMap((each) => each.events))]
    const strange = samples
      .strangeParts(first.filter.expression, events)
      .map((part) => problemAt(placeWithin(node, part.offset), sentence(part, isLiteral(node)), 'warning'))
    const failure = samples.failureOf(first.filter, events)
    return failure === null ? strange : [...strange, problemAt(node.at, failing(failure, isLiteral(node)), 'warning')]
  })
}

interface Failure {
  readonly type: EventType
  readonly reason: string
}

function typesOf(events: readonly string[]): readonly EventType[] {
  return EVENT_CATALOGUE.map(({ type }) => type).filter((type) => matchesPatterns(events, type))
}

function failing({ type, reason }: Failure, shown: boolean): string {
  const why = shown ? ` (${reason.replace(/\.$/, '')})` : ''
  return `\`where\` cannot be judged on any sample, such as a ${type}${why}: whatever it cannot judge is sent, so it lets everything pass`
}

/** Many customers have the same expression, and samples are derived event by event. */
class Samples {
  readonly #payloads = new Map<EventType, JsonObject>()
  readonly #parts = new Map<string, readonly StrangePart[]>()
  readonly #failures = new Map<string, Failure | null>()

  /** Why a filter cannot be judged on any sample that has what it asks for; null: it can on some, or none has that. */
  failureOf(filter: Filter, events: readonly string[]): Failure | null {
    const types = typesOf(events)
    const key = JSON.stringify([filter.expression, types])
    const known = this.#failures.get(key)
    if (known !== undefined) return known
    const failure = this.#judge(filter, types)
    this.#failures.set(key, failure)
    return failure
  }

  /** What reaches into a missing field is no match, whatever stands before it. */
  #judge(filter: Filter, types: readonly EventType[]): Failure | null {
    const opposite = compileFilter(`!(${filter.expression}\n)`)
    let failure: Failure | null = null
    for (const type of types) {
      const payload = this.#payload(type)
      const verdict = filter.judge(payload)
      if (verdict.kind === 'match') return null
      if (opposite.kind === 'filter' && opposite.filter.judge(payload).kind === 'match') return null
      if (verdict.kind === 'failed') failure ??= { type, reason: verdict.reason }
    }
    return failure
  }

  strangeParts(expression: string, events: readonly string[]): readonly StrangePart[] {
    const types = typesOf(events)
    const key = JSON.stringify([expression, types])
    const known = this.#parts.get(key)
    if (known !== undefined) return known
    const payloads = types.map((type) => this.#payload(type))
    const parts = exploreFilter(expression, { payloads, words: KNOWN_WORDS })
    this.#parts.set(key, parts)
    return parts
  }

  #payload(type: EventType): JsonObject {
    const payload = this.#payloads.get(type) ?? samplePayload(type)
    this.#payloads.set(type, payload)
    return payload
  }
}

function sentence({ kind, path, name, known }: StrangePart, shown: boolean): string {
  if (!shown)
    return kind === 'field'
      ? '`where` names a field that no event of this subscription has; the value of a variable in it is not shown'
      : '`where` compares a field with a word that it never is; the value of a variable in it is not shown'
  const nearest = nearestName(name, known)
  if (kind === 'word') {
    const words = nearest === undefined ? `the platform knows ${listed(known)}` : `did you mean ${quoted(nearest)}?`
    return `${quoted(path)} is never ${quoted(name)}: ${words}`
  }
  return `no event of this subscription has ${quoted(path)}: ${hintFor(path, nearest, known)}`
}

/** A platform adds fields to records; `data` itself is ours. */
function hintFor(path: string, nearest: string | undefined, known: readonly string[]): string {
  if (nearest !== undefined) return `did you mean ${quoted(nearest)}?`
  return /^data\.[^.]+$/.test(path)
    ? `their \`data\` has ${listed(known)}`
    : `if your platform adds it, ask \`has(${path})\` before it`
}
