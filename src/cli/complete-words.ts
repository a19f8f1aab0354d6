import { readdirSync } from 'node:fs'
import path from 'node:path'
import { RootCommand, type Command, type Complete } from '@bomb.sh/tab'
import { loadNames } from '../config/load-names.ts'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import tree from './completion-tree.json' with { type: 'json' }

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

type Offer = readonly (readonly [value: string, description: string])[]

/** A shell expands what it is offered: nothing may mean anything to it. */
const HARMLESS = /^[\w@%+=,./-]+$/

/** Prints what the last of the words may become, one a line, and what a shell is to make of it. */
export function completeWords(words: readonly string[], surroundings: Surroundings): void {
  const root = new RootCommand()
  const offers = offersFor(words, surroundings)
  for (const { command: name, description, options, arguments: values } of tree) {
    const command = name === '' ? root : root.command(name, firstClause(description))
    for (const option of options) addOption(command, option, offers)
    for (const { name: value, choices, isVariadic } of values) {
      command.argument(
        value,
        offering(() => offers(argumentKind(name, value), choices)),
        isVariadic,
      )
    }
  }
  root.parse([...words])
}

/** The first clause of a description: as much as fits beside a word. */
function firstClause(description: string): string {
  return description.split(/[:;]/)[0] ?? ''
}

type Node = (typeof tree)[number]
type Option = Node['options'][number]
type Offers = (kind: string, choices: readonly string[]) => Offer

function addOption(command: Command, { choices, description, long, short, value }: Option, offers: Offers): void {
  if (value === '') command.option(long, description, short)
  else
    command.option(
      long,
      description,
      offering(() => offers(optionKind(long, value), choices)),
      short,
    )
}

function offering(offer: () => Offer): (complete: Complete) => void {
  return (complete) => {
    for (const [value, description] of offer()) if (HARMLESS.test(value)) complete(value, description)
  }
}

function optionKind(long: string, value: string): string {
  if (long === 'to') return 'subscription'
  return value === 'file' ? 'file' : long
}

/** `subscriptions test NAME` names a subscription. */
function argumentKind(command: string, value: string): string {
  if (value === 'name' && command.startsWith('subscriptions ')) return 'subscription'
  return value === 'file' || value === 'dir' ? 'file' : value
}

/** What may stand for a kind of value, looked up when it is asked for. */
function offersFor(words: readonly string[], surroundings: Surroundings): Offers {
  return (kind, choices) => {
    if (choices.length > 0) return choices.map((choice) => [choice, ''])
    switch (kind) {
      case 'account':
        return namesOf('accounts', words, surroundings)
      case 'subscription':
        return namesOf('subscriptions', words, surroundings)
      case 'type':
        return EVENT_CATALOGUE.map(({ type, when }) => [type, when])
      case 'tz':
        return ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, ''])
      case 'file':
        return filesFor(words.at(-1) ?? '', surroundings.cwd)
      default:
        return []
    }
  }
}

function namesOf(section: 'accounts' | 'subscriptions', words: readonly string[], surroundings: Surroundings): Offer {
  try {
    return loadNames(section, configOf(words), surroundings).map((name) => [name, ''])
  } catch {
    return []
  }
}

function configOf(words: readonly string[]): string {
  const at = words.findLastIndex((word) => word === '-c' || word === '--config')
  const joined = words.find((word) => word.startsWith('--config='))
  return joined?.slice('--config='.length) ?? (at === -1 ? undefined : words[at + 1]) ?? 'shipbell.yaml'
}

const MOST_FILES = 500

function filesFor(word: string, cwd: string): Offer {
  const typed = word.slice(word.indexOf('=') + 1)
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1)
  try {
    const entries = readdirSync(path.resolve(cwd, folder), { withFileTypes: true }).slice(0, MOST_FILES)
    return entries.map((entry) => [`${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`, ''])
  } catch {
    return []
  }
}
