import { compileBody, OperatorBody } from '../message/template/body-template.ts'
import { moreTypes, placed, samplesSaid } from '../message/template/template-problem.ts'
import type { EventType } from '../model/event-catalogue.ts'
import { withoutOmitted } from '../model/omit.ts'
import { type ShownDelivery, templatePayload } from '../model/payload.ts'
import { bodyOf, isJsonType, type MadeBody, type RequestBody } from '../model/request-body.ts'
import type { Subscription } from '../model/subscription.ts'
import { typesSent } from '../route/snapshot-run.ts'
import { sampleEvent } from '../samples/sample-event.ts'
import { DEFAULT_CONTENT_TYPE } from './body-keys.ts'
import { childOf, drawnTexts, isLiteral, nodeAt, placeWithin, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { problemAt, type Position, type Problem } from './problem.ts'
import type { FileText } from './variables.ts'

/** The templates of bodies that a file names, by the node of each `body`. */
export type NamedBodies = ReadonlyMap<ConfigNode, OperatorBody>

/** Compiles the templates of bodies with the configuration: those that stand in it, and those of files. */
export class BodyReader {
  readonly bodies = new Map<ConfigNode, OperatorBody>()
  readonly #file: (path: string) => FileText
  readonly #report: (problem: Problem) => void

  constructor(file: (path: string) => FileText, report: (problem: Problem) => void) {
    this.#file = file
    this.#report = report
  }

  /** A node of which a template that cannot be used is broken. */
  read(node: ConfigNode): ConfigNode {
    if (node.kind !== 'map') return node
    const [key, ...others] = ['template', 'file'].filter((each) => textOf(childOf(node, each)) !== null)
    const named = key === undefined ? undefined : childOf(node, key)
    const written = textOf(named)
    if (key === undefined || named === undefined || written === null || others.length > 0) return node
    const source = key === 'file' ? this.#file(written) : { text: written }
    const literal = isLiteral(named)
    if ('reason' in source) {
      const why = literal ? source.reason : 'its variable names no file that can be read as UTF-8 text'
      return this.#broken({ node, key, named }, named.at, `cannot be had: ${why}`)
    }
    const file = key === 'file' ? (literal ? written : 'its file') : null
    const isJson = isJsonType(textOf(childOf(node, 'content_type')) ?? DEFAULT_CONTENT_TYPE)
    const compiled = compileBody({ file, isJson, source: source.text })
    if (compiled.kind === 'problem') {
      const said = placed(file ?? 'template', { ...compiled, message: shownReason(compiled.message, named) })
      return this.#broken({ node, key, named }, placeOf(named, file, compiled), `cannot be used: ${said}`)
    }
    this.bodies.set(node, compiled.template)
    return node
  }

  #broken(
    {
      key,
      named,
      node,
    }: { readonly node: ConfigNode & { readonly kind: 'map' }; readonly key: string; readonly named: ConfigNode },
    at: Position,
    wrong: string,
  ): ConfigNode {
    this.#report(problemAt(at, `\`${key}\` ${wrong}`))
    const broken: ConfigNode = { kind: 'broken', at: named.at, keyAt: named.keyAt }
    return { ...node, children: new Map([...node.children, [key, broken]]) }
  }
}

const SHORTEST_PART = 4

/** What the library says of a template may quote a part of it, and nothing of a variable is shown. */
function shownReason(reason: string, node: ConfigNode): string {
  const isQuoted = drawnTexts(node).some((text) =>
    Array.from(text, (_, at) => text.slice(at, at + SHORTEST_PART)).some(
      (part) => part.length === Math.min(SHORTEST_PART, text.length) && reason.includes(part),
    ),
  )
  return isQuoted ? 'what is wrong there would show the value of a variable' : reason
}

function textOf(node: ConfigNode | undefined): string | null {
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : null
}

/** A place in a template, where that stands in the configuration, character by character. */
function placeOf(
  node: ConfigNode,
  file: string | null,
  { column, line }: { readonly line: number; readonly column: number },
): Position {
  return placeWithin(node, file === null && line === 1 ? column - 1 : undefined)
}

/** A subscription that is sent bodies of the operator's own. */
interface Taker {
  readonly subscription: Subscription
  readonly body: RequestBody
}

/** Subscriptions whose bodies are made alike, with all types that one of them is sent. */
interface Takers {
  /** The `body` that they have: one of the file may be the default of many. */
  readonly node: ConfigNode
  readonly first: Taker
  readonly types: readonly EventType[]
}

function takersOf(subscriptions: readonly Subscription[], root: ConfigNode): readonly Takers[] {
  const takers = subscriptions.flatMap((subscription): Taker[] => {
    const { channel } = subscription
    return 'body' in channel && channel.body !== undefined ? [{ subscription, body: channel.body }] : []
  })
  const nodeOf = ({ subscription }: Taker): ConfigNode => nodeAt(root, ['subscriptions', subscription.name, 'body'])
  return [...Map.groupBy(takers, nodeOf)].flatMap(([node, group]) => {
    const alike = Map.groupBy(group, ({ body, subscription: { channel } }) =>
      JSON.stringify([channel.omit ?? [], body.language, body.timeZone]),
    )
    return [...alike.values()].flatMap((each): Takers[] => {
      const [first] = each
      const types = [...new Set(each.flatMap(({ subscription }) => typesSent(subscription)))]
      return first === undefined ? [] : [{ node, first, types }]
    })
  })
}

/** A sample as a subscription gets it. */
function sampleFor({ channel, name }: Subscription, type: EventType): ShownDelivery {
  return { event: withoutOmitted(sampleEvent(type), channel.omit), subscription: name }
}

/**
 * Problems: a body that cannot be made of a sample of an event that its subscription hears. Each is reported once, at the template; a
 * default is tried on what all hear who take it.
 */
export function bodyProblems(subscriptions: readonly Subscription[], root: ConfigNode): readonly Problem[] {
  return takersOf(subscriptions, root).flatMap(triedProblems)
}

function triedProblems({ first: { body, subscription }, node, types }: Takers): readonly Problem[] {
  const found = new Map<string, Found>()
  for (const type of types) {
    const made = bodyOf(body, sampleFor(subscription, type), null)
    if (made.kind === 'body') continue
    add(found, made, type)
    // Every try would take as long.
    if (made.bound) break
  }
  const worst = [...found.values()].toSorted((one, other) => other.types.length - one.types.length)
  const unsaid = worst.slice(MOST_SAID).flatMap(({ types: all }) => all).length
  return worst.slice(0, MOST_SAID).map(({ flaw, types }, nth) => {
    const { at, key, said } = told(flaw, body, node)
    const rest = nth === MOST_SAID - 1 && unsaid > 0 ? `; samples of ${moreTypes(unsaid)} fail in other ways` : ''
    return problemAt(at, `\`${key}\` cannot be used: ${said} (${samplesSaid(types)})${rest}`)
  })
}

/** One mistake of a template may show in another way for each type. */
const MOST_SAID = 3

/** Why a body could not be made, and of samples of which types. */
interface Found {
  readonly flaw: Unmade
  readonly types: readonly EventType[]
}

type Unmade = Extract<MadeBody, { readonly kind: 'unmade' }>

function add(found: Map<string, Found>, flaw: Unmade, type: EventType): void {
  const key = JSON.stringify([flaw.place, flaw.reason])
  found.set(key, { flaw, types: [...(found.get(key)?.types ?? []), type] })
}

/** Where a flaw of a template is reported, at which key, and how it is said. */
function told({ place, reason }: Unmade, { template: { file } }: RequestBody, node: ConfigNode) {
  const key = file === null ? 'template' : 'file'
  const named = childOf(node, key) ?? node
  const said = placed(file ?? 'template', { ...place, message: shownReason(reason, named) })
  return { key, at: placeOf(named, file, place), said }
}

const PLACE = { series: 'sample', position: 1 }
const READER = { language: 'en', timeZone: 'UTC' } as const

/**
 * Warnings: a variable that no sample of what a subscription hears has. The filter `json` makes null of it, which nobody may notice.
 * Platforms have fields of their own.
 */
export function bodyWarnings({ subscriptions }: Pick<Config, 'subscriptions'>, root: ConfigNode): readonly Problem[] {
  return takersOf(subscriptions, root).flatMap(({ first: { body, subscription }, node, types }) => {
    const { template } = body
    if (!(template instanceof OperatorBody)) return []
    const found = new Map<string, Found>()
    for (const type of types) {
      const payload = templatePayload({ ...sampleFor(subscription, type), place: PLACE })
      const made = template.renderStrictly(payload, READER)
      // What one of them has, another may lack.
      if (made.kind === 'body' || made.bound) return []
      add(found, made, type)
    }
    const vain = [...found.values()].filter((each) => each.types.length === types.length)
    return vain.map(({ flaw }) => {
      const { at, key, said } = told(flaw, body, node)
      return problemAt(at, `\`${key}\`: ${said}: no event of this subscription has it`, 'warning')
    })
  })
}
