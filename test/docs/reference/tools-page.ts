import { z } from 'zod'
import { TOOLS } from '../../../src/serve/mcp/tools.ts'
import { table } from './markdown.ts'

/** docs/reference/tools.md. */
export function toolsPage(): string {
  const tools = TOOLS.map(
    ({ description, input, name }) => `## ${name}

${description}

${parametersOf(input)}`,
  )
  return `# Tools

What assistants are offered at \`/mcp\` and by \`shipbell mcp\`; \`npm run docs\` writes this page. [Connect an assistant](../how-to/connect-an-assistant.md)
says how they get them. Tools that act are offered where the token may act, or with \`--act\`; \`subscribe\` and \`unsubscribe\` where the
file [names hosts](../how-to/subscribe-at-run-time.md#let-an-agent-subscribe).

An answer is a short text and the same as structured content, whose schema the tool says; both together have at most 25 kB. Where
more follows, \`next\` is the \`cursor\` of the next call. A tool answers within 5 s, or says in one sentence what to ask for instead.

${table(
  ['tool', 'parameters', 'acts'],
  TOOLS.map(({ acts, input, name }) => [
    `[\`${name}\`](#${name})`,
    namesOf(input)
      .map(({ isRequired, name: each }) => `\`${each}${isRequired ? '' : '?'}\``)
      .join(' '),
    acts === null ? '' : acts.destructive ? 'yes, for good' : 'yes',
  ]),
)}
${tools.join('\n')}`
}

interface Parameter {
  readonly name: string
  readonly isRequired: boolean
  readonly description: string
}

function namesOf(input: z.ZodObject): readonly Parameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    description: typeof schema === 'object' ? (schema.description ?? '') : '',
  }))
}

function parametersOf(input: z.ZodObject): string {
  const parameters = namesOf(input)
  if (parameters.length === 0) return ''
  return table(
    ['parameter', 'is'],
    parameters.map(({ description, isRequired, name }) => [`\`${name}${isRequired ? '' : '?'}\``, description]),
  )
}
