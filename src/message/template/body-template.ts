import type { JsonObject } from '../../model/json.ts'
import type { Reader } from '../../model/reader.ts'
import type { BodyTemplate, MadeBody } from '../../model/request-body.ts'
import { LiquidEngine, MOST_TEMPLATE_CHARACTERS, MOST_WORK, type Compiled } from '../liquid.ts'
import { messageOf, type Message } from '../message.ts'
import { wordingOf, type Wording } from '../wording/wording.ts'
import { jsonFlaw } from './json-flaw.ts'
import { oneLine } from './one-line.ts'
import { passedBound, templateProblem, type TemplateProblem } from './template-problem.ts'

const MOST_OUTPUT_CHARACTERS = 1_000_000

/** Made when first needed. */
let json: LiquidEngine | null = null
let plain: LiquidEngine | null = null

/** A template of what a webhook is sent in place of payloads: Liquid over the payload, with `text`, `title` and `severity`. */
export class OperatorBody implements BodyTemplate {
  readonly file: string | null
  readonly source: string
  readonly isJson: boolean
  readonly #compiled: Compiled

  /** Throws where the template is wrong. */
  constructor({ file, isJson, source }: Pick<BodyTemplate, 'file' | 'isJson' | 'source'>) {
    this.file = file
    this.source = source
    this.isJson = isJson
    this.#compiled = this.#engine.compile(source)
  }

  render(payload: JsonObject, reader: Reader): MadeBody {
    return this.#render(payload, reader, false)
  }

  /** Fails also where a variable is not there. */
  renderStrictly(payload: JsonObject, reader: Reader): MadeBody {
    return this.#render(payload, reader, true)
  }

  #render(payload: JsonObject, reader: Reader, strict: boolean): MadeBody {
    const wording = wordingOf(reader)
    try {
      const body = this.#engine.render(this.#compiled, bodyView(payload, wording), { strict, wording })
      const flaw = this.#flawOf(body)
      return flaw === null ? { kind: 'body', text: body } : { ...AT_START, kind: 'unmade', reason: flaw }
    } catch (error) {
      const problem = templateProblem(error)
      const { line, column, message } = problem
      return { kind: 'unmade', reason: message, place: { line, column }, bound: passedBound(problem) }
    }
  }

  /** Why what was rendered cannot be sent, null where it can be. */
  #flawOf(text: string): string | null {
    if (text.trim() === '') return 'it renders nothing'
    if (text.length > MOST_OUTPUT_CHARACTERS) return `it renders more than ${MOST_OUTPUT_CHARACTERS} characters`
    const flaw = this.isJson ? jsonFlaw(text) : null
    if (flaw === null) return null
    const { at, column, line } = flaw
    const found = at === null ? 'it ends too soon' : `there stands ${JSON.stringify(at)}`
    return `what it renders is no JSON: at line ${line}, column ${column} of that ${found}`
  }

  get #engine(): LiquidEngine {
    return bodyEngine(this.isJson)
  }
}

/** What templates of bodies are compiled and rendered by. */
export function bodyEngine(isJson: boolean): LiquidEngine {
  const most = { mostWork: MOST_WORK, makesBodies: true }
  return isJson ? (json ??= new LiquidEngine(withinJson, most)) : (plain ??= new LiquidEngine(asItIs, most))
}

/** What is said of an event is made where a template asks for it: many take fields alone. */
export function bodyView(payload: JsonObject, wording: Wording): JsonObject {
  let made: Message | null = null
  const message = (): Message => (made ??= messageOf(payload, { wording }))
  return {
    ...payload,
    get text() {
      return oneLine(message().sentence)
    },
    get title() {
      return oneLine(message().title)
    },
    get severity() {
      return message().tone
    },
  }
}

const AT_START = { place: { line: 1, column: 1 }, bound: false } as const

function asItIs(text: string): string {
  return text
}

/** A value that goes into JSON as it is: one that could end a text there, and go on as something else, is none. */
function withinJson(text: string): string {
  const found = /[^ !#-[\]-\u{10ffff}]/u.exec(text)?.[0]
  if (found === undefined) return text
  const what =
    found === '"' ? 'a quotation mark' : found === '\\' ? 'a backslash' : 'a line break or another control character'
  throw new Error(`a value holds ${what}: put it out by the filter \`json\`, which brings its own quotation marks`)
}

type CompiledBody =
  | { readonly kind: 'template'; readonly template: OperatorBody }
  | ({ readonly kind: 'problem' } & TemplateProblem)

/** Parses a template of a body. */
export function compileBody(of: Pick<BodyTemplate, 'file' | 'isJson' | 'source'>): CompiledBody {
  if (of.source.length > MOST_TEMPLATE_CHARACTERS)
    return { kind: 'problem', line: 1, column: 1, message: `it is longer than ${MOST_TEMPLATE_CHARACTERS} characters` }
  try {
    return { kind: 'template', template: new OperatorBody(of) }
  } catch (error) {
    return { kind: 'problem', ...templateProblem(error) }
  }
}
