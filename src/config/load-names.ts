import { childOf, entriesOf } from './config-node.ts'
import { Reading } from './reading.ts'

/**
 * Names of accounts or subscriptions as the file has them, whatever is wrong with it otherwise. Throws `config_invalid` where
 * there is no readable file.
 */
export function loadNames(
  section: 'accounts' | 'subscriptions',
  file: string,
  options: ConstructorParameters<typeof Reading>[1],
): readonly string[] {
  const root = new Reading(file, options).tree(section)
  return entriesOf(childOf(root ?? undefined, section)).map(([name]) => name)
}
