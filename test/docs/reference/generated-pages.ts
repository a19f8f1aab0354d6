import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { ROOT } from '../pages.ts'
import { commandsPage } from './commands-page.ts'
import { configurationPage } from './configuration-page.ts'
import { eventPages } from './event-pages.ts'

/** The pages of docs/reference that come from the code, by name; as they are in the repository. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  const pages = [
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/commands.md', await commandsPage()],
    ...eventPages(),
  ] as const
  const options = await resolveConfig(path.join(ROOT, 'README.md'))
  const formatted = pages.map(
    async ([name, text]) => [name, await format(text, { ...options, parser: 'markdown' })] as const,
  )
  return new Map(await Promise.all(formatted))
}
