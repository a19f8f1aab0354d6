import { z } from 'zod'
import { watchedAccount } from './account-schema.ts'
import type { Config } from './config.ts'
import { childOf, withReplaced, type ConfigNode } from './config-node.ts'
import { sectionTree } from './included-files.ts'
import { judge } from './judge.ts'
import { withAccountDefaults } from './key-defaults.ts'
import { errorLines, refuseFile, type Problem } from './problem.ts'
import { Reading, type Surroundings } from './reading.ts'
import { entries } from './schema-parts.ts'
import { storageOf, storageSection, type StorageSettings } from './storage.ts'
import { watchSettings } from './watch-settings.ts'

// Most commands ask for nothing else, and none of the rest is loaded for it: channels, templates, expressions.

interface LoadedStorage {
  readonly storage: StorageSettings | null
  readonly problems: readonly Problem[]
}

/** Only `storage`: for commands that read or write the store alone, whatever is wrong or unset elsewhere in the file. */
function loadStorage(file: string, options: Surroundings): LoadedStorage {
  const reading = new Reading(file, options)
  const root = reading.mainTree(['storage'])
  if (root === null) return { storage: null, problems: reading.problems }
  const { data, problems } = judge(storageSection, root)
  reading.report(...problems)
  if (data === undefined || reading.failed) return { storage: null, problems: reading.problems }
  return { storage: storageOf(data.storage, reading.folder), problems: reading.problems }
}

/**
 * Where the store is, also while the file cannot be read to its end: for `status`, which then says that a daemon goes on without it.
 * `errors`: what is wrong with the file, where that left something in doubt.
 */
export function storageDespite(
  file: string,
  options: Surroundings,
): { readonly storage: StorageSettings; readonly errors: readonly string[] } {
  const { problems, storage } = loadStorage(file, options)
  if (storage !== null) return { storage, errors: [] }
  const { folder, main } = new Reading(file, options)
  const { data } = judge(storageSection, main.brokenTree(['storage']))
  return {
    storage: data === undefined ? refuseFile(problems) : storageOf(data.storage, folder),
    errors: errorLines(problems),
  }
}

/** Only what accounts watch: needs no secret; null where that is not said rightly. */
export function loadWatched(
  file: string,
  options: Surroundings,
): readonly Pick<Config['accounts'][number], 'audit' | 'name' | 'watch' | 'timeZone'>[] | null {
  const root = sectionTree('accounts', new Reading(file, options))
  if (root === null) return null
  const known = ['watch', 'time_zone', 'audit']
  const watching = withReplaced(
    withAccountDefaults(root),
    ['accounts', '*'],
    (node) => node && onlyChildren(node, known),
  )
  const { data } = judge(z.object({ accounts: entries(watchedAccount, '') }), watching)
  if (data === undefined) return null
  return Object.entries(data.accounts).map(([name, keys]) => ({
    name,
    audit: keys.audit,
    watch: watchSettings(keys.watch),
    timeZone: keys.time_zone,
  }))
}

function onlyChildren(node: ConfigNode, keys: readonly string[]): ConfigNode {
  if (node.kind !== 'map') return node
  const children = keys.flatMap((key) => {
    const child = childOf(node, key)
    return child === undefined ? [] : [[key, child] as const]
  })
  return { ...node, children: new Map(children) }
}

/** Only where the store is: for commands that need no secret. */
export function requireStorage(file: string, options: Surroundings): StorageSettings {
  const { storage, problems } = loadStorage(file, options)
  return storage ?? refuseFile(problems)
}
