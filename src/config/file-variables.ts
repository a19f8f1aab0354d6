import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { ShipbellError } from '../errors.ts'
import type { FileText, Variables } from './interpolate.ts'

/**
 * Variables of the environment, then of `.env` beside the configuration; files relative to it.
 * `note` hears of every file that is looked at. Throws `config_invalid` where `.env` exists and cannot be read.
 */
export function fileVariables(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  note: (file: string) => void,
): Variables {
  const dotenvFile = dotenvIn(folder)
  note(dotenvFile)
  const dotenv = readDotenv(dotenvFile)
  return {
    variable: (name) => own(env, name) ?? own(dotenv, name),
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
function own(variables: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}

function readDotenv(file: string): Readonly<Record<string, string | undefined>> {
  if (!existsSync(file)) return {}
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new ShipbellError(
      'config_invalid',
      `${file} cannot be read (${codeOf(cause)}): make it readable, or remove it.`,
      {
        cause,
      },
    )
  }
}

function readSecretFile(file: string, shown: string): FileText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)).replace(/\r?\n$/, '') }
  } catch (error) {
    return { reason: whyUnreadable(shown, codeOf(error)) }
  }
}

function whyUnreadable(shown: string, code: string): string {
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return `the file ${shown} is not UTF-8 text`
  return `the file ${shown} cannot be read (${code}): mend the path, relative to the configuration`
}

/** `ENOENT` and the like: never more, because texts of file errors may hold what was read. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
