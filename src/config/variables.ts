import path from 'node:path'
import { parseEnv } from 'node:util'
import { ShipbellError } from '../errors.ts'
import { isMissing, readNamedFile, readNamedText, troubleWords } from '../named-file.ts'

/** Where `${VAR}` and `${file:PATH}` come from. */
export interface Variables {
  /** The value of a variable; undefined: it is not set. */
  variable(name: string): string | undefined
  /** The text of a file without its trailing newline, or why it cannot be read. */
  file(path: string): FileText
  /** What stands for a reference that has no value; left out: it is an error. */
  readonly standIn?: (reference: string) => string
}

/** What a stand-in begins with: a character of the private use area, which nobody types. */
export const UNRESOLVED = '\uE006'

/** Variables of whoever is to know what a file says without its secrets: what has no value stands for itself. */
export function despiteUnset(variables: Variables): Variables {
  return {
    variable: (name) => variables.variable(name),
    file: (path) => variables.file(path),
    standIn: (reference) => `${UNRESOLVED}\${${reference}}`,
  }
}

export type FileText = { readonly text: string } | { readonly reason: string }

/** `drawn`: the texts that came from variables and files; `isDefault`: one of them is what `:-` says. */
export type Interpolated =
  | { readonly kind: 'text'; readonly text: string; readonly drawn: readonly string[]; readonly isDefault: boolean }
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }

const REFERENCE = /\$\$|\$\{([^}]*)(\}?)/g
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/** Replaces `${VAR}`, `${VAR:-default}` (the default also where VAR is empty), `${file:PATH}` and `$$`. */
export function interpolate(text: string, variables: Variables): Interpolated {
  const reasons: string[] = []
  const drawn: string[] = []
  let isDefault = false
  const replaced = text.replaceAll(REFERENCE, (match, inner: string | undefined, closed: string | undefined) => {
    if (match === '$$') return '$'
    const result = closed === '' ? { reason: '`${` has no closing `}`' } : resolved(inner ?? '', variables)
    if ('text' in result) {
      drawn.push(result.text)
      isDefault ||= 'isDefault' in result
      return result.text
    }
    reasons.push(result.reason)
    return ''
  })
  return reasons.length > 0 ? { kind: 'failed', reasons } : { kind: 'text', text: replaced, drawn, isDefault }
}

/** The text of a reference, or of what stands for it. A reference that is none has no stand-in. */
function resolved(inner: string, variables: Variables): ReturnType<typeof resolve> {
  const result = resolve(inner, variables)
  const isReference = inner.startsWith('file:') || VARIABLE.test(inner)
  if ('text' in result || variables.standIn === undefined || !isReference) return result
  return { text: variables.standIn(inner) }
}

function resolve(inner: string, variables: Variables): FileText | { readonly text: string; readonly isDefault: true } {
  if (inner === 'file:') return { reason: '`${file:}` names no file: write `${file:PATH}`' }
  if (inner.startsWith('file:')) return variables.file(inner.slice('file:'.length))
  const [, name, fallback] = VARIABLE.exec(inner) ?? []
  if (name === undefined) return { reason: '`${…}` must hold VAR, VAR:-default or file:PATH; write `$$` for a dollar' }
  if (fallback?.includes('${') === true) return { reason: `the default of \${${name}} cannot hold another \`\${…}\`` }
  const value = variables.variable(name)
  if (fallback !== undefined && (value === undefined || value === ''))
    return { text: fallback.replaceAll('$$', () => '$'), isDefault: true }
  if (value !== undefined) return { text: value }
  return { reason: `the variable ${name} is not set: set it in the environment or in .env beside the file` }
}

/** A text of the command line, as one of a configuration beside whose variables it stands. Throws `usage`. */
export function interpolated(text: string, variables: Variables): string {
  const result = interpolate(text, variables)
  if (result.kind === 'text') return result.text
  throw new ShipbellError('usage', `${result.reasons.join('; ')}.`)
}

type Environment = Readonly<Record<string, string | undefined>>

interface VariableSources {
  readonly env: Environment
  /** Asked last: what holds for an included file too. */
  readonly outer?: Variables
  /** Hears of every file that is looked at. */
  readonly note: (file: string) => void
}

/**
 * Variables of the environment, then of `.env` beside the configuration; files relative to it.
 * Throws `config_invalid` where `.env` exists and cannot be read.
 */
export function variablesBeside(folder: string, { env, outer, note }: VariableSources): Variables {
  const dotenvFile = dotenvIn(folder)
  note(dotenvFile)
  const dotenv = readDotenv(dotenvFile)
  return {
    variable: (name) => own(env, name) ?? own(dotenv, name) ?? outer?.variable(name),
    file: (relative) => {
      const file = path.resolve(folder, relative)
      note(file)
      return readSecretFile(file, relative)
    },
  }
}

/** Where variables may be written beside a configuration. */
export function dotenvIn(folder: string): string {
  return path.join(folder, '.env')
}

/** Even `process.env` inherits `constructor`. */
function own(variables: Environment, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}

function readDotenv(file: string): Environment {
  const read = readNamedFile(file)
  if ('bytes' in read) return parseEnv(new TextDecoder().decode(read.bytes))
  if (isMissing(read.trouble)) return {}
  const message = `${file} ${troubleWords(read.trouble)}: make it a file that can be read, or remove it.`
  throw new ShipbellError('config_invalid', message)
}

function readSecretFile(file: string, shown: string): FileText {
  const read = readNamedText(file)
  if ('text' in read) return { text: read.text.replace(/\r?\n$/, '') }
  const reason = `the file ${shown} ${troubleWords(read.trouble)}`
  return {
    reason: read.trouble.kind === 'failed' ? `${reason}: mend the path, relative to the configuration` : reason,
  }
}
