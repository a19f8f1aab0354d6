import type { JsonObject } from '../../model/json.ts'
import type { MessageTemplate } from '../../model/message-template.ts'
import { LiquidEngine, MOST_WORK, type Compiled } from '../liquid.ts'
import { neutralValue } from './neutral-value.ts'

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
    this.#compiled = sandbox().compile(source)
  }

  render(view: JsonObject): string {
    return this.#render(view, false)
  }

  /** Throws also where a variable is not there. */
  renderStrictly(view: JsonObject): string {
    return this.#render(view, true)
  }

  #render(view: JsonObject, strict: boolean): string {
    const text = sandbox().render(this.#compiled, view, { strict })
    if (text.length > MOST_OUTPUT_CHARACTERS)
      throw new RangeError(`it renders more than ${MOST_OUTPUT_CHARACTERS} characters`)
    return text
  }
}

function sandbox(): LiquidEngine {
  return (engine ??= new LiquidEngine(neutralValue, MOST_WORK))
}
