import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isMissing, readNamedText, troubleWords, type FileTrouble } from '../named-file.ts'
import type { ConfigFile } from './config-file.ts'
import { childOf, isLiteral, type ConfigNode, type ScalarNode } from './config-node.ts'
import { MOST_ENTRIES, matchesOf } from './glob.ts'
import { printable, problemAt, quoted, startOf, type Problem } from './problem.ts'
import type { Reading } from './reading.ts'

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
    if (matches === null) {
      reading.isPartial = true
      reading.report(tooVast(node, node.value))
      return []
    }
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

function tooVast(node: ScalarNode, pattern: string): Problem {
  const shown = isLiteral(node) ? quoted(pattern) : 'this'
  const most = MOST_ENTRIES.toLocaleString('en')
  const remedy = 'name a folder that holds files of the configuration alone'
  return problemAt(node.at, `${shown} meets more than ${most} files and folders: ${remedy}`)
}

interface Including {
  readonly node: ConfigNode
  readonly reading: Reading
}

function openIncluded(absolute: string, { node, reading }: Including): readonly ConfigFile[] {
  const shown = shownName(absolute, reading)
  reading.list.addFile(shown)
  const source = readNamedText(absolute)
  const isStranger = 'trouble' in source && (source.trouble.kind === 'folder' || source.trouble.kind === 'special')
  if (!isStranger) reading.files.add(absolute)
  if ('text' in source) return [reading.include({ absolute, shown, text: source.text })]
  // It was there when the folder was listed: removed since, as if it had been before.
  if (isMissing(source.trouble) && !isThere(absolute)) return []
  reading.isPartial = true
  reading.report(isStranger ? strangerAt(node, shown, source.trouble) : unreadable(shown, source.trouble))
  return []
}

/** A pattern that meets what no configuration can be in is at fault. */
function strangerAt({ at }: ConfigNode, shown: string, trouble: FileTrouble): Problem {
  const remedy =
    trouble.kind === 'folder'
      ? `name the files in it, such as ${quoted(`${shown}/*.yaml`)}`
      : 'remove it, or narrow the pattern'
  return problemAt(at, `${quoted(shown)} ${troubleWords(trouble)}: ${remedy}`)
}

/** Beside the main file, as that is given. */
function shownName(absolute: string, { main, folder }: Reading): string {
  if (path.isAbsolute(main.shown)) return printable(absolute)
  return printable(path.join(path.dirname(main.shown), path.relative(folder, absolute)))
}

function unreadable(shown: string, trouble: FileTrouble): Problem {
  if (isMissing(trouble)) return problemAt(startOf(shown), 'this link points to no file: mend it, or remove it')
  const remedy = trouble.kind === 'failed' ? 'make it readable, or remove it' : REMEDIES[trouble.kind]
  return problemAt(startOf(shown), `this file ${troubleWords(trouble)}: ${remedy}`)
}

const REMEDIES: Readonly<Record<Exclude<FileTrouble['kind'], 'failed'>, string>> = {
  folder: 'name the files in it',
  special: 'remove it',
  large: 'share it out over several files',
  not_text: 'save it as UTF-8',
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
