import { analyzeSync, type Template } from 'liquidjs'
import type { Compiled } from '../liquid.ts'

/** What templates read. */
export interface Reads {
  /** Whether they may look into the record of an event, as it is or as it was. */
  readonly records: boolean
  /** Whether they show what the program says of an event. */
  readonly message: boolean
  /** The names on the way to each value that they read, as far as they are names. */
  readonly paths: readonly (readonly string[])[]
}

/** What is said of an event: its words may come from the record. */
const SAID: ReadonlySet<string> = new Set(['facts', 'it', 'sentence', 'severity', 'text', 'title'])
const RECORDS: ReadonlySet<string> = new Set(['object', 'previous'])

export function readsOf(templates: readonly Compiled[]): Reads {
  const variables = templates.flatMap((each) => Object.values(analyzeSync([...each]).globals).flat())
  const message = variables.some(({ segments: [root] }) => SAID.has(String(root)))
  const records = variables.some(({ segments: [root, name] }) => {
    if (root !== 'data') return typeof root !== 'string'
    return typeof name !== 'string' || RECORDS.has(name)
  })
  const paths = variables.map(({ segments }) => {
    const end = segments.findIndex((segment) => typeof segment !== 'string')
    return segments.slice(0, end === -1 ? segments.length : end).map(String)
  })
  return { message, records: records || message, paths: distinct(paths) }
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
