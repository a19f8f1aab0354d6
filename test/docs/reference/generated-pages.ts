import { readFileSync } from 'node:fs'
import path from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import { packageFiles } from '../events/package-files.ts'
import { ROOT } from '../pages.ts'
import { apiPage } from './api-page.ts'
import { commandsPage } from './commands-page.ts'
import { completionTree } from './completion-tree.ts'
import { configurationPage } from './configuration-page.ts'
import { eventPages } from './event-pages.ts'
import { metricsPage } from './metrics-page.ts'
import { toolsPage } from './tools-page.ts'

const COMPLETIONS = 'src/cli/completion-tree.json'

/**
 * What comes from the code, by name, as it is in the repository: pages of docs/reference, what shells complete, and the
 * receivers' package.
 */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const pages = [
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/commands.md', await commandsPage()],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/api.md', await apiPage()],
    ['docs/reference/tools.md', toolsPage()],
    ...eventPages(),
  ] as const
  const texts = [...pages, [COMPLETIONS, await completionTree()] as const]
  const formatted = await Promise.all(texts.map(async ([name, text]) => [name, await inForm(name, text)] as const))
  return new Map([...formatted, ...packageFiles()])
}

/** As `npm run format` would leave it. */
async function inForm(name: string, text: string): Promise<string> {
  const options: FormatConfig = JSON.parse(readFileSync(path.join(ROOT, '.oxfmtrc.json'), 'utf8'))
  const { code, errors } = await format(name, text, options)
  if (errors[0] !== undefined) throw new Error(`${name} has no form: ${errors[0].message}`)
  return code
}
