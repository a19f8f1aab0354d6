import type { ConfigNode } from './config-node.ts'
import { includedFiles } from './included-files.ts'
import { mergeFiles } from './merge-files.ts'
import type { Reading } from './reading.ts'

/** Only the accounts or the subscriptions of all files, with the defaults of the main one; null where that cannot be read. */
export function sectionTree(section: 'accounts' | 'subscriptions', reading: Reading): ConfigNode | null {
  const main = reading.mainTree([section, 'include', 'defaults'])
  if (main === null) return null
  const parts = includedFiles(main, reading).flatMap((file) => file.tree('', [section]) ?? [])
  return mergeFiles(main, parts, (problem) => reading.report(problem))
}
