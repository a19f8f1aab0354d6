import { lstatSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isNotText, readSource, type ConfigFile } from './config-file.ts'
import { childOf, isLiteral, type ConfigNode, type ScalarNode } from './config-node.ts'
import { printable, problemAt, quoted, startOf, type Problem } from './problem.ts'
import type { Reading } from './reading.ts'
import { matchesOf } from './source-files.ts'

/**
 * The files that `include` names, each once, in the order of the patterns and then of their names. What cannot be read is
 * reported: a customer's file never goes missing in silence.
 */
export function includedFiles(root: ConfigNode, reading: Reading): readonly ConfigFile[] {
  const include = childOf(root, 'include')
  if (include?.kind !== 'list') return []
  const seen = new Set([realPath(reading.main.absolute)])
  return [...include.children.values()].flatMap((node) => {
    if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return []
    const pattern = path.resolve(reading.folder, node.value)
    reading.patterns.add(pattern)
    const matches = matchesOf(pattern)
    if (matches.length === 0) reading.report(nothingMatches(node, node.value))
    return matches.flatMap((file) => {
      const real = realPath(file)
      if (seen.has(real)) return []
      seen.add(real)
      return openIncluded(file, { node, reading })
    })
  })
}

/** A name that is no pattern stands for a file that must be there. */
function nothingMatches(node: ScalarNode, pattern: string): Problem {
  const shown = isLiteral(node) ? quoted(pattern) : 'this'
  return /[*?[{]/.test(pattern)
    ? problemAt(node.at, `${shown} matches no file: nothing is included by it`, 'warning')
    : problemAt(node.at, `there is no file ${shown} to include: mend the path, relative to the configuration`)
}

interface Including {
  readonly node: ConfigNode
  readonly reading: Reading
}

function openIncluded(absolute: string, { node, reading }: Including): readonly ConfigFile[] {
  const shown = shownName(absolute, reading)
  reading.list.addFile(shown)
  const stranger = whatElse(absolute, shown)
  if (stranger !== null) {
    reading.isPartial = true
    reading.report(problemAt(node.at, stranger))
    return []
  }
  const source = readSource(absolute)
  reading.files.add(absolute)
  if ('text' in source) return [reading.include({ absolute, shown, text: source.text })]
  // It was there when the folder was listed: removed since, as if it had been before.
  if (source.code === 'ENOENT' && !isThere(absolute)) return []
  reading.isPartial = true
  reading.report(problemAt(startOf(shown), whyUnreadable(source.code)))
  return []
}

/** A pipe would never end. */
function whatElse(absolute: string, shown: string): string | null {
  const found = orNull(() => statSync(absolute))
  // Why it cannot be read, reading says.
  if (found === null || found.isFile()) return null
  return found.isDirectory()
    ? `${quoted(shown)} is a folder: name the files in it, such as ${quoted(`${shown}/*.yaml`)}`
    : `${quoted(shown)} is no plain file: remove it, or narrow the pattern`
}

/** Beside the main file, as that is given. */
function shownName(absolute: string, { main, folder }: Reading): string {
  if (path.isAbsolute(main.shown)) return printable(absolute)
  return printable(path.join(path.dirname(main.shown), path.relative(folder, absolute)))
}

function whyUnreadable(code: string): string {
  if (code === 'ENOENT') return 'this link points to no file: mend it, or remove it'
  if (isNotText(code)) return 'this file is not UTF-8 text: save it as UTF-8'
  return `this file cannot be read (${code}): make it readable, or remove it`
}

function isThere(file: string): boolean {
  return orNull(() => lstatSync(file)) !== null
}

function realPath(file: string): string {
  return orNull(() => realpathSync(file)) ?? file
}

function orNull<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}
