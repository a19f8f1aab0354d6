import { analyzeSync, type Template } from 'liquidjs'
import type { Compiled } from '../liquid.ts'

/** What templates read. */
export interface Reads {
  /** Whether they may look into the record of an event, as it is or as it was. */
  readonly records: boolean
  /** Whether they show what the program says of an event. */
  readonly message: boolean
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
  return { message, records: records || message }
}

/** What stands inside of a node. */
export function childrenOf(template: Template): Compiled {
  const found = template.children?.(false, true).next()
  return found?.done === true ? found.value : []
}
