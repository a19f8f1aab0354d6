import { configKeys } from '../../../src/config/config-keys.ts'
import type { Key, Keys, Outline } from '../../../src/config/shape.ts'
import { table } from './markdown.ts'

interface KeyLine {
  readonly path: string
  readonly key: Key<unknown>
}

/** Every key of a configuration, from the table that the configuration is read by. */
export function configurationPage(): string {
  const sections = Object.entries(topKeys()).map(([name, key]) => {
    const rows = [{ path: name, key }, ...keysBelow(key.shape.outline, name)]
    return `## \`${name}\`\n\n${table(
      ['key', 'default', 'what it is'],
      rows.map((row) => [`\`${row.path}\``, defaultOf(row.key), row.key.says]),
    )}`
  })
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `# Configuration

Every key of \`shipbell.yaml\`. \`npm run docs\` writes this page from the table that the program reads a configuration by.
[config/every-key.yaml](../../config/every-key.yaml) shows the same keys in a file, with comments.

- An unknown key is an error that names the nearest known one. \`shipbell check\` names every problem with its line and column.
- A duration is a number with its unit: \`500ms\`, \`90s\`, \`2m\`, \`1h30m\`, \`7d\`.
- In text, \`\${VAR}\` is replaced by the environment or by the \`.env\` beside the file; the environment wins. \`\${VAR:-text}\` has a
  default, \`\${file:PATH}\` is the content of a file, \`$$\` is a dollar. A variable that is not set is an error.
- A path is relative to the configuration.
- \`NAME\` stands for a name of your choice: lower-case letters, digits, \`_\` and \`-\`, at most 64.
`

function topKeys(): Keys {
  const { outline } = configKeys
  return outline.kind === 'section' ? outline.keys : {}
}

function keysBelow(outline: Outline, prefix: string): readonly KeyLine[] {
  switch (outline.kind) {
    case 'value':
      return []
    case 'named':
      return keysBelow(outline.of, `${prefix}.NAME`)
    case 'switchable':
      return keysBelow(outline.of, prefix)
    case 'section':
      return Object.entries(outline.keys).flatMap(([name, key]) => [
        { path: `${prefix}.${name}`, key },
        ...keysBelow(key.shape.outline, `${prefix}.${name}`),
      ])
    default:
      return outline satisfies never
  }
}

function defaultOf({ presence }: Key<unknown>): string {
  switch (presence.kind) {
    case 'required':
      return '**required**'
    case 'optional':
      return 'none'
    case 'default':
      return `\`${inYaml(presence.value)}\``
    default:
      return presence satisfies never
  }
}

function inYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
