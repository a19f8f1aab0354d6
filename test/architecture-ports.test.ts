import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const PORTS = path.resolve(import.meta.dirname, '../src/store/ports')
/** What a third store would have to bring, and what one reader can hold in mind. */
const MOST_IN_ALL = 100
const MOST_OF_ONE = 12

interface Port {
  readonly bases: readonly string[]
  readonly methods: readonly string[]
}

/** The interfaces of the ports as they are written: a method is a line of two spaces, a name and a parenthesis. */
function interfacesOf(text: string): readonly (readonly [name: string, port: Port])[] {
  const found = text.matchAll(/^(?:export )?interface (\w+)(?:\s+extends\s+([^{]+?))?\s*\{(.*?)^\}/gms)
  return [...found].flatMap(([, name, bases = '', body = '']) => {
    if (name === undefined) return []
    const methods = [...body.matchAll(/^ {2}(\w+)(?:<[^>]*>)?\(/gm)].flatMap(([, method]) => method ?? [])
    return [[name, { bases: bases.match(/\w+/g) ?? [], methods }] as const]
  })
}

function allInterfaces(): ReadonlyMap<string, Port> {
  const files = readdirSync(PORTS).filter((file) => file.endsWith('.ts'))
  return new Map(files.flatMap((file) => interfacesOf(readFileSync(path.join(PORTS, file), 'utf8'))))
}

/** With what a port inherits. */
function methodsOf(name: string, ports: ReadonlyMap<string, Port>): ReadonlySet<string> {
  const { bases = [], methods = [] } = ports.get(name) ?? {}
  return new Set([...methods, ...bases.flatMap((base) => [...methodsOf(base, ports)])])
}

test('a store has at most 100 methods, and each port at most 12', () => {
  const ports = allInterfaces()
  const declaring = [...ports].filter(([, { methods }]) => methods.length > 0)
  expect(declaring.length).toBeGreaterThan(10)
  expect(declaring.reduce((sum, [, { methods }]) => sum + methods.length, 0)).toBeLessThanOrEqual(MOST_IN_ALL)
  const large = declaring.flatMap(([name]) => {
    const { size } = methodsOf(name, ports)
    return size > MOST_OF_ONE ? [`${name} has ${size}`] : []
  })
  expect(large).toEqual([])
})

test('interfaces are found with their methods and bases', () => {
  const text =
    'export interface A extends B, C {\n  /** x */\n  one(a: string): void\n  two<T>(\n    a: T,\n  ): void\n  readonly x: number\n}\n'
  expect(interfacesOf(text)).toEqual([['A', { bases: ['B', 'C'], methods: ['one', 'two'] }]])
})

test('nothing of a port is there for speed alone', () => {
  const words = /seenBefore|keepsMemory|objectJson|restJson/
  expect(readdirSync(PORTS).filter((file) => words.test(readFileSync(path.join(PORTS, file), 'utf8')))).toEqual([])
})
