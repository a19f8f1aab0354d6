import { Option } from 'commander'
import { printableJson } from '../printable.ts'
import type { JsonObject } from '../model/json.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { keeper, type Keep } from './json-fields.ts'
import { templateRenderer, type RenderItem } from './json-template.ts'

/** The options of every command that reports (guarantee C6). */
export interface JsonOptions {
  /** true: whole. */
  readonly json?: true | Keep
  readonly template?: RenderItem
}

/** `says` is what the document holds. */
export function jsonOption(says = 'one JSON document'): Option {
  return new Option('--json [fields]', `${says}; only some fields of it: id,subject.id`).argParser(keeper)
}

export function templateOption(): Option {
  return new Option('--template <liquid>', "each item as a Liquid template says: '{{ id }}'").argParser(
    templateRenderer,
  )
}

/** Where the data of a command goes instead of text for people. */
export interface JsonOutput {
  /** One document. With a template: it, or each item where it is a list. */
  document(document: object): void
  /** A list as one document, written item by item: a whole log may be longer than the longest string. */
  list<T>(items: Iterable<T> | AsyncIterable<T>, render: (item: T) => object): Promise<void>
  /** One of items without end, on a line of its own. */
  line(item: object): void
}

interface Report {
  readonly options: JsonOptions
  /** A sentence for people, with commands as they are written in the docs. */
  readonly said: string
  readonly document: JsonObject
}

/** Says what a command did, as its options ask for it. */
export function report(context: CommandContext, { document, options, said }: Report): void {
  const json = jsonOutput(context, options)
  if (json !== null) json.document(document)
  else context.stdout.write(`${asInvoked(said, context)}\n`)
}

/** What writes items as JSON; null: the output is for people. It throws `usage` where the first items have no such field. */
export function jsonOutput({ stdout }: Pick<CommandContext, 'stdout'>, options: JsonOptions): JsonOutput | null {
  const { json, template } = options
  if (json === undefined && template === undefined) return null
  const keep: Keep = typeof json === 'function' ? json : (items) => items
  const render = template ?? null
  const writeItem = (item: object): void => stdout.write(`${render === null ? indented(item) : render(item)}\n`)
  return {
    document: (document) => {
      const picked = keep(Array.isArray(document) ? document : [document])
      if (Array.isArray(document) && render === null) stdout.write(`${indented(picked)}\n`)
      else for (const item of picked) writeItem(item)
    },
    list: async (items, shape) => {
      let separator = '[\n'
      for await (const page of pages(items)) {
        for (const item of keep(page.map(shape))) {
          if (render === null) stdout.write(`${separator}${indented(item).replaceAll(/^/gm, '  ')}`)
          else writeItem(item)
          separator = ',\n'
        }
      }
      if (render === null) stdout.write(separator === '[\n' ? '[]\n' : '\n]\n')
    },
    line: (item) => {
      for (const picked of keep([item])) stdout.write(`${render === null ? oneLine(picked) : render(picked)}\n`)
    },
  }
}

/** How many items say which fields there are. */
const PAGE = 200

async function* pages<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<readonly T[], void> {
  let page: T[] = []
  for await (const item of items) {
    page.push(item)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function indented(document: object): string {
  return printableJson(JSON.stringify(document, null, 2))
}

function oneLine(document: object): string {
  return printableJson(JSON.stringify(document))
}
