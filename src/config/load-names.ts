import { childOf, entriesOf } from './config-node.ts'
import { Reading, type Surroundings } from './reading.ts'
import { sectionTree } from './included-files.ts'

/**
 * Names of accounts or subscriptions as the files have them, whatever is wrong with them otherwise. Throws `config_invalid`
 * where there is no readable file.
 */
export function loadNames(
  section: 'accounts' | 'subscriptions',
  file: string,
  options: Surroundings,
): readonly string[] {
  const root = sectionTree(section, new Reading(file, options))
  return entriesOf(childOf(root ?? undefined, section)).map(([name]) => name)
}
