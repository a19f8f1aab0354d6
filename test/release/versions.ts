import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A file that names the version of Shipbell, and how: the version stands where the groups are. */
interface Place {
  readonly file: string
  readonly pattern: RegExp
}

const OWN_VERSION = /(^ {2}"version": ")([^"]+)(")/m

const PLACES: readonly Place[] = [
  { file: 'package.json', pattern: OWN_VERSION },
  { file: 'src/events/package.json', pattern: OWN_VERSION },
  { file: 'package-lock.json', pattern: OWN_VERSION },
  { file: 'package-lock.json', pattern: /(^ {4}"": \{\n {6}"name": "shipbell",\n {6}"version": ")([^"]+)(")/m },
  {
    file: 'package-lock.json',
    pattern: /(^ {4}"src\/events": \{\n {6}"name": "@shipbell\/events",\n {6}"version": ")([^"]+)(")/m,
  },
  { file: 'config/kubernetes/kustomization.yaml', pattern: /(name: shipbell\n {4}newTag: )(\S+)()/ },
]

export interface NamedVersion {
  readonly file: string
  /** null: the file does not name one where it should. */
  readonly version: string | null
}

/** Every place in which the version stands. */
export function namedVersions(folder: string): readonly NamedVersion[] {
  return PLACES.map(({ file, pattern }) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    return { file, version: pattern.exec(text)?.[2] ?? null }
  })
}

/** Writes the version wherever it stands, and nothing else. */
export function setVersion(folder: string, version: string): void {
  for (const { file, pattern } of PLACES) {
    const name = path.join(folder, file)
    const text = readFileSync(name, 'utf8')
    writeFileSync(name, text.replace(pattern, `$1${version}$3`))
  }
}

/** Whether a version comes after another; both are three numbers. */
export function isNewer(version: string, other: string): boolean {
  const [own, theirs] = [version, other].map((each) => each.split('.').map(Number))
  const differs = own?.findIndex((number, index) => number !== theirs?.[index]) ?? -1
  return differs !== -1 && (own?.[differs] ?? 0) > (theirs?.[differs] ?? 0)
}
