import type { JsonObject } from '../../model/json.ts'
import type { MessageTemplate } from '../../model/message-template.ts'
import type { Reader } from '../../model/reader.ts'
import { LiquidEngine, MOST_TEMPLATE_CHARACTERS, MOST_WORK, type Compiled } from '../liquid.ts'
import { cut } from '../words/short.ts'
import { wordingOf } from '../wording/wording.ts'
import { oneLine } from './one-line.ts'
import { templateProblem, type TemplateProblem } from './template-problem.ts'

const MOST_OUTPUT_CHARACTERS = 100_000

/** Made when first needed. */
let engine: LiquidEngine | null = null

/** A template file of the configuration. Its output is plain text. */
export class OperatorTemplate implements MessageTemplate {
  readonly file: string
  readonly source: string
  readonly #compiled: Compiled

  /** Throws where the template is wrong. */
  constructor(file: string, source: string) {
    this.file = file
    this.source = source
    this.#compiled = operatorEngine().compile(source)
  }

  render(view: JsonObject, reader: Reader): string {
    return this.#render(view, reader, false)
  }

  /** Throws also where a variable is not there. */
  renderStrictly(view: JsonObject, reader: Reader): string {
    return this.#render(view, reader, true)
  }

  #render(view: JsonObject, reader: Reader, strict: boolean): string {
    const text = operatorEngine().render(this.#compiled, view, { strict, wording: wordingOf(reader) })
    if (text.length > MOST_OUTPUT_CHARACTERS)
      throw new RangeError(`it renders more than ${MOST_OUTPUT_CHARACTERS} characters`)
    return text
  }
}

/** What templates of messages are compiled and rendered by. */
export function operatorEngine(): LiquidEngine {
  return (engine ??= new LiquidEngine(neutralValue, { mostWork: MOST_WORK }))
}

const LONGEST = 2_000

/** A value in the text of a template: lines are the template's own. */
function neutralValue(text: string): string {
  return oneLine(cut(text, LONGEST))
}

type CompiledTemplate =
  | { readonly kind: 'template'; readonly template: OperatorTemplate }
  | ({ readonly kind: 'problem' } & TemplateProblem)

/** Parses a template file; `file` is how it is named in messages. */
export function compileTemplate(file: string, source: string): CompiledTemplate {
  if (source.length > MOST_TEMPLATE_CHARACTERS) {
    return { kind: 'problem', line: 1, column: 1, message: `it is longer than ${MOST_TEMPLATE_CHARACTERS} characters` }
  }
  try {
    return { kind: 'template', template: new OperatorTemplate(file, source) }
  } catch (error) {
    return { kind: 'problem', ...templateProblem(error) }
  }
}
