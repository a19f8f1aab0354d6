import { ShipbellError } from '../errors.ts'
import { LiquidEngine, MOST_TEMPLATE_CHARACTERS, MOST_WORK } from '../message/liquid.ts'
import { placed, templateProblem } from '../message/template/template-problem.ts'
import { terminalText } from './terminal.ts'

export type RenderItem = (item: object) => string

/** Renders items by a Liquid template. Values are one line each, with control characters as escapes. Throws `usage`. */
export function templateRenderer(template: string): RenderItem {
  if (template.length > MOST_TEMPLATE_CHARACTERS)
    throw new ShipbellError('usage', `--template is longer than ${MOST_TEMPLATE_CHARACTERS} characters: shorten it.`)
  const engine = new LiquidEngine((text) => terminalText(text, Number.POSITIVE_INFINITY), { mostWork: MOST_WORK })
  const compiled = explained(() => engine.compile(template))
  return (item) => explained(() => engine.render(compiled, JSON.parse(JSON.stringify(item)), { strict: false }))
}

function explained<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const problem = placed('--template', templateProblem(error))
    throw new ShipbellError('usage', `${problem}; mend the template.`, { cause: error })
  }
}
