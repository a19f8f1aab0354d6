import { MOST_TEMPLATE_CHARACTERS } from '../liquid.ts'
import { OperatorTemplate } from './operator-template.ts'
import { templateProblem, type TemplateProblem } from './template-problem.ts'

export type CompiledTemplate =
  { readonly kind: 'template'; readonly template: OperatorTemplate } | ({ readonly kind: 'problem' } & TemplateProblem)

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
