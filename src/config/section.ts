import { childOf, type ConfigNode, type MapNode } from './config-node.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted } from './problem.ts'
import type { Key, Keys, Reading, Shape } from './shape.ts'

export type SectionOf<K extends Keys> = { readonly [N in keyof K]: K[N] extends Key<infer T> ? T : never }

export interface SectionOptions<K extends Keys> {
  /** Keys that are planned and not built yet: refused with that sentence. */
  readonly later?: readonly string[]
  /** Rules about which keys are there, judged whatever their values. Returns whether they hold. */
  readonly keysFit?: (node: MapNode, name: string, reading: Reading) => boolean
  /** Rules between keys, judged where every single key is right. Returns whether they hold. */
  readonly check?: (value: SectionOf<K>, node: MapNode, reading: Reading) => boolean
}

/** A mapping with a fixed set of keys; any other key is an error. */
export function section<K extends Keys>(keys: K, options: SectionOptions<K> = {}): Shape<SectionOf<K>> {
  const { later = [], keysFit, check } = options
  return {
    outline: { kind: 'section', keys, later },
    read: (node, name, reading) => {
      if (node.kind === 'broken') return undefined
      if (node.kind !== 'map') return refuse(node, notAMapping(node, name, keys), reading)
      const strangersRefused = refuseStrangers(node, { known: Object.keys(keys), later }, reading)
      const reader = new KeyReader(node, name, reading)
      const silent = later.some((key) => node.entries.has(key))
      const values = Object.entries(keys).map(([key, spec]) => [key, reader.read(key, spec, silent)])
      const fit = keysFit?.(node, name, reading) ?? true
      if (strangersRefused || reader.failed || !fit) return undefined
      const value: unknown = Object.fromEntries(values)
      if (!holdsEveryKey(value, keys)) return undefined
      return (check?.(value, node, reading) ?? true) ? value : undefined
    },
  }
}

/** The type of each value follows from its shape; the compiler cannot see that through `fromEntries`. */
function holdsEveryKey<K extends Keys>(value: unknown, keys: K): value is SectionOf<K> {
  return typeof value === 'object' && value !== null && Object.keys(keys).every((key) => Object.hasOwn(value, key))
}

class KeyReader {
  failed = false
  readonly #node: MapNode
  readonly #name: string
  readonly #reading: Reading

  constructor(node: MapNode, name: string, reading: Reading) {
    this.#node = node
    this.#name = name
    this.#reading = reading
  }

  /** `silent`: what is missing is not said beside a key that is not built yet, because that key may stand in its place. */
  read(key: string, spec: Key<unknown>, silent: boolean): unknown {
    const given = childOf(this.#node, key)
    if (given === undefined && spec.presence.kind === 'optional') return undefined
    const node = given ?? this.#default(spec)
    const value = node === undefined ? this.#missing(key, silent) : spec.shape.read(node, key, this.#reading)
    if (value === undefined) this.failed = true
    return value
  }

  #default({ presence }: Key<unknown>): ConfigNode | undefined {
    return presence.kind === 'default' ? this.#reading.defaultNode(presence.value, this.#node.keyAt) : undefined
  }

  #missing(key: string, silent: boolean): undefined {
    const where = this.#name === '' ? '' : ` in \`${this.#name}\``
    if (!silent) this.#reading.report(problemAt(this.#node.keyAt, `\`${key}\` is missing${where}`))
  }
}

interface KnownNames {
  readonly known: readonly string[]
  readonly later: readonly string[]
}

function refuseStrangers(node: MapNode, { known, later }: KnownNames, reading: Reading): boolean {
  const strangers = [...node.entries].filter(([key]) => !known.includes(key))
  for (const [key, { keyAt }] of strangers) {
    reading.report(problemAt(keyAt, later.includes(key) ? notBuilt(key) : unknownKey(key, known, later)))
  }
  return strangers.length > 0
}

function notBuilt(what: string): string {
  return `\`${what}\` is not built yet; remove it for now`
}

function unknownKey(key: string, known: readonly string[], later: readonly string[]): string {
  const nearest = nearestName(key, [...known, ...later])
  const hint = nearest === undefined ? `the keys here are ${known.join(', ')}` : `did you mean \`${nearest}\`?`
  return `unknown key ${quoted(key)}: ${hint}`
}

function notAMapping(node: ConfigNode, name: string, keys: Keys): string {
  const empty = node.kind === 'scalar' && node.value === null
  const allOptional = Object.values(keys).every(({ presence }) => presence.kind !== 'required')
  if (empty && allOptional)
    return `\`${name}\` has no value: write \`${name}: {}\` for the defaults, or remove the line`
  return `${name === '' ? 'the file' : `\`${name}\``} must be a mapping with keys such as ${Object.keys(keys).slice(0, 3).join(', ')}`
}

function refuse(node: ConfigNode, message: string, reading: Reading): undefined {
  reading.report(problemAt(node.kind === 'scalar' && node.value === null ? node.keyAt : node.at, message))
}
