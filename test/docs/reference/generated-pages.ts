import path from 'node:path'
import { format, resolveConfig } from 'prettier'
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
  const options = await resolveConfig(path.join(ROOT, 'README.md'))
  const formatted = pages.map(
    async ([name, text]) => [name, await format(text, { ...options, parser: 'markdown' })] as const,
  )
  const tree = await format(await completionTree(), { ...options, parser: 'json' })
  return new Map([...(await Promise.all(formatted)), [COMPLETIONS, tree], ...packageFiles()])
}
