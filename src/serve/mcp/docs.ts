import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The documentation, beside the code in a clone and in the package alike. */
const FOLDER = new URL('../../../docs/', import.meta.url)

interface DocsPage {
  /** The file of the page below the folder: `how-to/mail.md`. */
  readonly path: string
  readonly title: string
}

let known: readonly DocsPage[] | null = null

/** Every page, in the order of their paths; read once. */
export function docsPages(): readonly DocsPage[] {
  known ??= existsSync(FOLDER) ? paths().map((path) => ({ path, title: titleOf(docsText(path), path) })) : []
  return known
}

/** The text of a page that `docsPages` names. */
export function docsText(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8')
}

function paths(): readonly string[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  return files.filter((file) => file.endsWith('.md')).toSorted()
}

function titleOf(text: string, path: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? path
}
