import { keysJsonSchema } from '../../../src/config/json-schema.ts'
import { table } from './markdown.ts'

type Schema = ReturnType<typeof keysJsonSchema>

interface KeyLine {
  readonly path: string
  readonly key: Schema
  readonly isRequired: boolean
}

/** Every key of a configuration, from the schema that it is judged by. */
export function configurationPage(): string {
  const sections = keysOf(keysJsonSchema()).map((top) => {
    const rows = [top, ...keysBelow(top)]
    return `## \`${top.path}\`\n\n${table(
      ['key', 'default', 'what it is'],
      rows.map((row) => [`\`${row.path}\``, defaultOf(row), row.key.description ?? '']),
    )}`
  })
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `# Configuration

Every key of \`shipbell.yaml\`. \`npm run docs\` writes this page from the schema that the program judges a configuration by.
[config/every-key.yaml](../../config/every-key.yaml) shows the same keys in a file, with comments.

- An unknown key is an error that names the nearest known one. \`shipbell check\` names every problem with its line and column.
- A duration is a number with its unit: \`500ms\`, \`90s\`, \`2m\`, \`1h30m\`, \`7d\`.
- In text, \`\${VAR}\` is replaced by the environment or by the \`.env\` beside the file; the environment wins. \`\${VAR:-text}\` has a
  default, \`\${file:PATH}\` is the content of a file, \`$$\` is a dollar. A variable that is not set is an error.
- A path is relative to the file in which it stands. \`include\` and \`defaults\`: see [Many customers](../how-to/many-customers.md).
- \`NAME\` stands for a name of your choice: lower-case letters, digits, \`_\` and \`-\`, at most 64.
`

/** The keys of a section; one that may be written in several ways has those of each. */
function keysOf(schema: Schema, prefix = ''): readonly KeyLine[] {
  return [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, key]) =>
      typeof key === 'boolean' || key.not !== undefined
        ? []
        : [{ path: `${prefix}${name}`, key, isRequired: required.includes(name) }],
    ),
  )
}

function keysBelow({ path, key }: KeyLine): readonly KeyLine[] {
  const named = key.additionalProperties
  const keys = [...keysOf(key, `${path}.`), ...(typeof named === 'object' ? keysOf(named, `${path}.NAME.`) : [])]
  return keys.flatMap((each) => [each, ...keysBelow(each)])
}

function defaultOf({ key, isRequired }: KeyLine): string {
  if (isRequired) return '**required**'
  return key.default === undefined ? 'none' : `\`${inYaml(key.default)}\``
}

function inYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
