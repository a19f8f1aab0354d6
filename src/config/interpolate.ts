/** Where `${VAR}` and `${file:PATH}` come from. */
export interface Variables {
  /** undefined: not set. */
  variable(name: string): string | undefined
  /** The text of a file without its trailing newline, or why it cannot be read. */
  file(path: string): FileText
}

export type FileText = { readonly text: string } | { readonly reason: string }

/** `drawn`: the texts that came from variables and files. */
export type Interpolated =
  | { readonly kind: 'text'; readonly text: string; readonly drawn: readonly string[] }
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }

const REFERENCE = /\$\$|\$\{([^}]*)(\}?)/g
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/** Replaces `${VAR}`, `${VAR:-default}` (also where VAR is empty), `${file:PATH}` and `$$` (guarantee K2). */
export function interpolate(text: string, variables: Variables): Interpolated {
  const reasons: string[] = []
  const drawn: string[] = []
  const replaced = text.replaceAll(REFERENCE, (match, inner: string | undefined, closed: string | undefined) => {
    if (match === '$$') return '$'
    const result = closed === '' ? { reason: '`${` has no closing `}`' } : resolve(inner ?? '', variables)
    if ('text' in result) {
      drawn.push(result.text)
      return result.text
    }
    reasons.push(result.reason)
    return ''
  })
  return reasons.length > 0 ? { kind: 'failed', reasons } : { kind: 'text', text: replaced, drawn }
}

function resolve(inner: string, variables: Variables): FileText {
  if (inner.startsWith('file:')) return variables.file(inner.slice('file:'.length))
  const [, name, fallback] = VARIABLE.exec(inner) ?? []
  if (name === undefined) return { reason: '`${…}` must hold VAR, VAR:-default or file:PATH; write `$$` for a dollar' }
  if (fallback?.includes('${') === true) return { reason: `the default of \${${name}} cannot hold another \`\${…}\`` }
  const value = variables.variable(name)
  if (fallback !== undefined)
    return { text: value === undefined || value === '' ? fallback.replaceAll('$$', () => '$') : value }
  if (value !== undefined) return { text: value }
  return { reason: `the variable ${name} is not set: set it in the environment or in .env beside the file` }
}
