import { analyzeSync, type Template } from 'liquidjs'
import type { Compiled } from '../liquid.ts'

/** What templates read; what they may set themselves counts too, for it is not set on every way through them. */
export interface Reads {
  /** Whether they may look into the record of an event themselves, as it is or as it was. */
  readonly records: boolean
  /** Whether they show what the program says of an event, in words that may come from the record. */
  readonly message: boolean
  /** The names on the way to each value that they read, as far as they are names. */
  readonly paths: readonly (readonly string[])[]
}

/** What is said of an event. */
const SAID: ReadonlySet<string> = new Set(['facts', 'it', 'sentence', 'severity', 'text', 'title'])
const RECORDS: ReadonlySet<string> = new Set(['object', 'previous'])
const EVERYTHING: Reads = { records: true, message: true, paths: [[]] }
/** A value whose first name is made by the template: `[name].object`. */
const MADE_NAME = /\{[{%](?:(?![%}]\}).)*?(?<![\w\]."'-])\[/s

export function readsOf(templates: readonly Compiled[]): Reads {
  if (templates.some(([first]) => MADE_NAME.test(first?.token.input ?? ''))) return EVERYTHING
  const variables = templates.flatMap((each) => Object.values(analyzeSync([...each]).variables).flat())
  const message = variables.some(({ segments: [root] }) => SAID.has(String(root)))
  const records = variables.some(({ segments: [root, name] }) => {
    return root === 'data' && (typeof name !== 'string' || RECORDS.has(name))
  })
  const paths = variables.map(({ segments }) => {
    const end = segments.findIndex((segment) => typeof segment !== 'string')
    return segments.slice(0, end === -1 ? segments.length : end).map(String)
  })
  return { message, records, paths: distinct(paths) }
}

function distinct(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
}

/** The names that a template sets: whatever reads them depends on where it stands. */
export function namesSetBy(templates: Compiled): readonly string[] {
  const assigned = Object.keys(analyzeSync([...templates]).locals)
  return [...assigned, ...templates.flatMap(namesOfLoops)]
}

function namesOfLoops(template: Template): readonly string[] {
  return [...(template.blockScope?.() ?? []), ...childrenOf(template).flatMap(namesOfLoops)]
}

/** What stands inside of a node. */
export function childrenOf(template: Template): Compiled {
  const found = template.children?.(false, true).next()
  return found?.done === true ? found.value : []
}
