import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatInstant } from '../../src/model/instant.ts'
import { field, isJsonArray, isJsonObject, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import { TOOLS } from '../../src/serve/mcp/tools.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { batch, sampleState, T, write } from '../store/samples.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { Desk, TOKEN } from './desk.ts'
import { argumentsFor, call, post } from './mcp-desk.ts'
import { fillAccount, idsOf } from './shared-desk.ts'

/** Whoever has one account, and sees nothing else. Everything of the account has the mark in it. */
interface Principal {
  readonly mark: string
  readonly token: string
  readonly acts: boolean
}

const PRINCIPALS: readonly Principal[] = Array.from({ length: 20 }, (_, nth) => {
  const mark = `zq${nth.toString().padStart(2, '0')}`
  return { mark, token: `${mark}-token-0123456789`, acts: nth % 2 === 0 }
})
/** Nobody has it: what is another's must be answered as what is of this one. */
const NOBODY: Principal = { mark: 'zq99', token: '', acts: false }
const CALLBACK = 'https://192.0.9.1/hooks'

function configuration(receiver: string, http: string): string {
  const accounts = PRINCIPALS.map(
    ({ mark }) => `  ${mark}: { base_url: 'http://127.0.0.1:9', api_key: ${mark}-key-0123456789, watch: {} }`,
  )
  const subscriptions = PRINCIPALS.map(
    ({ mark }) =>
      `  ${mark}-sub: { url: '${receiver}/', secret: ${SECRET}, events: ['*'], accounts: [${mark}], enabled: false }`,
  )
  return `accounts:
${accounts.join('\n')}
subscriptions:
${subscriptions.join('\n')}
delivery: { allow_networks: [127.0.0.0/8], retry: [1m] }
runtime_subscriptions: { key: ${Buffer.alloc(32, 7).toString('base64')}, allow: { hosts: [192.0.9.1] } }
storage: { path: shipbell.db }
http: { listen: '127.0.0.1:0', ${http} }
`
}

type Written = 'shipment' | 'invoice' | 'purchase_order'

function record(resource: Written, id: string, seen: JsonObject) {
  return write(sampleState(id, { resource, seen, reported: seen }))
}

/** More shipments than an answer has room for, an invoice that is due, and an order. */
async function fillMore(store: Store, { mark }: Principal): Promise<void> {
  await fillAccount(store, { account: mark, mark, hears: [`${mark}-sub`], alone: `${mark}-sub` })
  const price = { amount: 10, currency: 'EUR' }
  const due = { reference: `${mark}-inv`, type: 'invoice', status: 'due', due_date: formatInstant(T).slice(0, 10) }
  const records = [
    ...Array.from({ length: 27 }, (_, nth) =>
      record('shipment', `${mark}-s${nth}`, { platform_shipment_id: `${mark}-s${nth}`, name: `${mark} shoes` }),
    ),
    record('invoice', `${mark}-inv`, { ...due, lines: [{ description: `${mark} freight`, price }] }),
    record('purchase_order', `${mark}-po`, { po_number: `${mark}-po`, lines: [] }),
  ]
  await store.commit({ ...batch({ records }), account: mark })
}

async function openedByAll(): Promise<Desk> {
  const tokens = PRINCIPALS.map(
    ({ acts, mark, token }) => `${mark}: { token: ${token}, accounts: [${mark}]${acts ? ', role: operator' : ''} }`,
  )
  const desk = await Desk.configured(`token: ${TOKEN}, tokens: { ${tokens.join(', ')} }`, { text: configuration })
  for (const each of PRINCIPALS) await fillMore(desk.store, each)
  return desk
}

/** What each tool is asked with of what is somebody's, in several ways. */
async function waysToAsk(desk: Desk, of: Principal): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const { mark } = of
  const { items } = await desk.store.exceptionPage({ account: mark, now: 0, limit: 1 })
  const exception = items[0]?.id ?? `exc_${'0'.repeat(20)}`
  const [row] = (await desk.store.deliveryPage({ subscription: `${mark}-sub`, limit: 1 })).items
  const ids = idsOf(mark)
  const more: Readonly<Record<string, readonly JsonObject[]>> = {
    find_shipments: [{ query: '' }, { query: `${mark} shoes` }, { query: ids.shipment }],
    get_shipment: [{ id: ids.shipment }, { id: `${mark}-s1`, account: mark }],
    list_exceptions: [{}, { type: 'shipment.*' }],
    list_invoices_due: [{ within: '7d' }, {}],
    get_order: [{ po_number: `${mark}-po` }],
    explain_event: [{ id: ids.added }, { id: ids.alone }, { id: ids.risk.slice(0, -1) }, { id: '#1' }],
    retry_delivery: [{ id: row?.id ?? `dlv_${'0'.repeat(20)}` }],
    unsubscribe: [{ name: `${mark}-made` }, { name: `${mark}-sub` }],
  }
  // Names of subscriptions are shared by all, and a name that is taken says so; accounts are not.
  const subscribe = { name: `${mark}-x`, url: CALLBACK, events: ['shipment.*'], accounts: [mark] }
  const first: Readonly<Record<string, JsonObject>> = { ...argumentsFor({ mark, account: mark, exception }), subscribe }
  return new Map(TOOLS.map(({ name }) => [name, [first[name] ?? {}, ...(more[name] ?? [])]]))
}

/** The marks of others in an answer, but for what it repeats of the question. */
function leaked(whole: string, { mark }: Principal, args: JsonObject): readonly string[] {
  const marks = without(whole, args).match(/zq\d\d/g) ?? []
  return [...new Set(marks)].filter((each) => each !== mark)
}

function without(whole: string, args: JsonObject): string {
  const texts = Object.values(args).flatMap((value) => (isJsonArray(value) ? value : [value]))
  const repeated = texts.flatMap((text) =>
    typeof text === 'string' && text !== '' ? [text, JSON.stringify(text).slice(1, -1)] : [],
  )
  const longestFirst = repeated.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((left, text) => left.replaceAll(text, '?'), whole)
}

/** An answer without what differs each time: the mark of the block, and places, which are sealed anew. */
function gist(whole: string, args: JsonObject): string {
  const lasting = whole.replaceAll(/data [0-9a-f]{16}/g, 'data').replaceAll(/("next":|cursor )\\*"[\w-]+\\*"/g, '$1')
  return without(lasting, args)
}

const LISTS = [
  ['find_shipments', { query: '' }],
  ['list_changes', { since: '2026-01-01' }],
  ['list_exceptions', {}],
  ['list_invoices_due', { within: 'any' }],
  ['get_status', {}],
] as const

test('none of twenty principals sees another in any list, to its end', async () => {
  const desk = await openedByAll()
  for (const who of PRINCIPALS) {
    for (const [name, args] of LISTS) {
      for (let cursor: string | undefined; ;) {
        const asked = { ...args, ...(cursor !== undefined && { cursor }) }
        const { isError, structured, whole } = await call({ desk, token: who.token }, name, asked)
        expect([name, isError, leaked(whole, who, {})]).toEqual([name, false, []])
        expect(whole).toContain(who.mark)
        cursor = textField(structured ?? null, 'next') ?? undefined
        if (cursor === undefined) break
      }
    }
  }
})

test('property: whatever one of twenty principals asks of another is answered as what nobody has', async () => {
  const desk = await openedByAll()
  for (const { acts, mark, token } of PRINCIPALS) {
    const keys = { name: `${mark}-made`, url: CALLBACK, events: ['shipment.*'] }
    const made = await call({ desk, token }, 'subscribe', keys)
    expect(made.isError).toBe(!acts)
  }
  const ways = new Map<string, Awaited<ReturnType<typeof waysToAsk>>>()
  for (const each of [...PRINCIPALS, NOBODY]) ways.set(each.mark, await waysToAsk(desk, each))
  const question = fc.record({
    who: fc.constantFrom(...PRINCIPALS),
    whose: fc.constantFrom(...PRINCIPALS),
    tool: fc.constantFrom(...TOOLS.map(({ name }) => name)),
    way: fc.nat(4),
  })
  await fc.assert(
    fc.asyncProperty(question, async ({ tool, way, who, whose }) => {
      const argsOf = ({ mark }: Principal): JsonObject => {
        const all = ways.get(mark)?.get(tool) ?? []
        return all[way % all.length] ?? {}
      }
      const ask = async (args: JsonObject) => await call({ desk, token: who.token }, tool, args)
      const [theirs, none] = [await ask(argsOf(whose)), await ask(argsOf(NOBODY))]
      expect(leaked(theirs.whole, who, argsOf(whose))).toEqual([])
      if (whose.mark === who.mark) return
      expect(gist(theirs.whole, argsOf(whose))).toEqual(gist(none.whole, argsOf(NOBODY)))
    }),
    { numRuns: 100 },
  )
  const acted = desk.logged('admin.acted')
  for (const { who, ...rest } of acted)
    expect(leaked(JSON.stringify(rest), { mark: String(who), token: '', acts: true }, {})).toEqual([])
})

test('places, completions and addresses of another lead nowhere', async () => {
  const desk = await openedByAll()
  const [who, whose, another] = PRINCIPALS
  if (who === undefined || whose === undefined || another === undefined) throw new Error('There are twenty.')
  const { structured } = await call({ desk, token: whose.token }, 'find_shipments', { query: '' })
  const cursor = textField(structured ?? null, 'next') ?? ''
  expect(cursor).not.toBe('')
  const stolen = await call({ desk, token: who.token }, 'find_shipments', { query: '', cursor })
  expect([stolen.isError, leaked(stolen.whole, who, { cursor })]).toEqual([true, []])
  const complete = async (uri: string, name: string, begun: string | { readonly of: string }): Promise<Json> => {
    const [value, account] = typeof begun === 'string' ? [begun, null] : ['', begun.of]
    const context = account === null ? {} : { context: { arguments: { account } } }
    const params = { ref: { type: 'ref/resource', uri }, argument: { name, value }, ...context }
    const { json } = await post(desk, who.token, { method: 'completion/complete', params })
    return field(field(field(json, 'result'), 'completion'), 'values') ?? null
  }
  const [shipment, order] = ['shipbell://shipment/{account}/{id}', 'shipbell://order/{po_number}']
  expect(await complete(shipment, 'account', '')).toEqual([who.mark])
  for (const { mark } of [whose, another, NOBODY]) {
    expect(await complete(shipment, 'account', mark)).toEqual([])
    expect(await complete(shipment, 'id', mark)).toEqual([])
    expect(await complete(shipment, 'id', { of: mark })).toEqual([])
    expect(await complete(order, 'po_number', mark)).toEqual([])
    for (const uri of [`shipbell://shipment/${mark}/${mark}-s1`, `shipbell://order/${mark}-po`]) {
      const { json } = await post(desk, who.token, { method: 'resources/read', params: { uri } })
      const error = field(json, 'error')
      expect(isJsonObject(error) && leaked(JSON.stringify(error), who, { uri })).toEqual([])
    }
  }
  const own = await post(desk, who.token, {
    method: 'resources/read',
    params: { uri: `shipbell://order/${who.mark}-po` },
  })
  expect(own.text).toContain(`${who.mark}-po`)
})
