import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { problemAt, type Problem } from './problem.ts'

const EVERYBODY_READS = 0o004
const EVERYBODY_PASSES = 0o001
/** Shorter ones are found in ordinary words. */
const SHORTEST = 8

/** A warning for each of these files that everybody on the machine may read although a secret is written in it. */
export function exposedFiles(files: readonly string[], secrets: readonly string[]): readonly Problem[] {
  const certain = secrets.filter(({ length }) => length >= SHORTEST)
  return files
    .filter((file) => isEverybodys(file) && certain.some((secret) => textOf(file).includes(secret)))
    .map((file) => {
      const name = path.basename(file)
      const message = `everybody on this machine may read \`${name}\`, which holds secrets: chmod 600 ${name}`
      return problemAt({ line: 1, column: 1 }, message, 'warning')
    })
}

/** Whether its own mode and every folder above let everybody through. */
function isEverybodys(file: string): boolean {
  if (process.platform === 'win32' || (modeOf(file) & EVERYBODY_READS) === 0) return false
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((modeOf(folder) & EVERYBODY_PASSES) === 0) return false
    if (folder === path.dirname(folder)) return true
  }
}

function modeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? 0
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8')
}
