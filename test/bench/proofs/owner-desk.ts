import { field, textField, type Json, type JsonObject } from '../../../src/model/json.ts'
import type { Daemons } from './daemons.ts'
import { keyOf } from './losing-proxy.ts'
import type { Owner } from './owned-subscription.ts'

export interface Asking {
  readonly method?: string
  readonly json?: JsonObject
}

export interface Answered {
  readonly status: number
  readonly json: Json
  readonly text: string
}

const SUBSCRIPTIONS = '/api/v1/subscriptions'

/** What somebody does on another's subscription, who is not to learn that there is one. */
const STRANGE: readonly (readonly [method: string, path: string])[] = [
  ['GET', ''],
  ['GET', '/feed'],
  ['PATCH', ''],
  ['DELETE', ''],
  ['POST', '/rotate-secret'],
  ['POST', '/disable'],
  ['POST', '/test'],
]

/** The API and the pages of whichever daemon runs, asked with tokens. */
export class OwnerDesk {
  readonly #daemons: Daemons

  constructor(daemons: Daemons) {
    this.#daemons = daemons
  }

  async ask(shown: string, path: string, { json, method = 'GET' }: Asking = {}): Promise<Answered> {
    const [url = ''] = this.#daemons.urls
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${shown}`, accept: path.startsWith('/api') ? 'application/json' : 'text/html' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, text, json: isJson && text !== '' ? JSON.parse(text) : null }
  }

  /** What an owner does with subscriptions; throws unless it is answered with the status. */
  async act({ token }: Owner, path: string, { status, ...asking }: Asking & { readonly status: number }) {
    const came = await this.ask(token, SUBSCRIPTIONS + path, asking)
    if (came.status === status) return came.json
    throw new Error(`${asking.method} ${path} was answered ${came.status}: ${came.text.slice(0, 500)}`)
  }

  async shown(token: string, name: string): Promise<Json> {
    return (await this.ask(token, `${SUBSCRIPTIONS}/${name}`)).json
  }

  /** The states of the subscriptions that a token sees, by name. */
  async listed({ token }: Owner): Promise<ReadonlyMap<string, string>> {
    const { json } = await this.ask(token, `${SUBSCRIPTIONS}?limit=200`)
    return new Map(itemsOf(json).map((item) => [textField(item, 'name') ?? '', textField(item, 'state') ?? '']))
  }

  /** What is wrong with the feed of a subscription, of which all came: `places` are keys by position, the first of them the oldest that is its own. */
  async feedOf({ token }: Owner, name: string, places: ReadonlyMap<number, string>): Promise<readonly string[]> {
    const listed = new Map<number, string>()
    for (
      let after: number | null = Math.min(Infinity, ...places.keys()) - 1;
      after !== null && Number.isFinite(after);
    ) {
      const { json, status } = await this.ask(token, `${SUBSCRIPTIONS}/${name}/feed?after=${after}&limit=200`)
      if (status !== 200) return [`the feed of ${name} was answered ${status}`]
      for (const item of itemsOf(json))
        listed.set(Number(field(item, 'position')), keyOf(field(item, 'payload') ?? null))
      const next: Json | undefined = field(json, 'next')
      after = typeof next === 'number' ? next : null
    }
    const isSame = listed.size === places.size && [...listed].every(([position, key]) => places.get(position) === key)
    return isSame ? [] : [`the feed of ${name} has ${listed.size} rows, and ${places.size} came, or other ones`]
  }

  /** What is wrong with what an owner sees: `living` are its own, `ever` those too that ended, `other` is another's. */
  async sights(owner: Owner, { ever, living, other }: Named): Promise<readonly string[]> {
    const listed = [...(await this.listed(owner)).keys()]
    const { json } = await this.ask(owner.token, '/api/v1/deliveries?limit=200')
    const strange = itemsOf(json).filter((item) => !ever.has(textField(item, 'subscription') ?? ''))
    const lacking = [...living].filter((name) => !listed.includes(name))
    const problems = [
      ...listed.filter((name) => !living.has(name)).map((name) => `${owner.name} sees ${name}`),
      ...lacking.map((name) => `${owner.name} does not see ${name}`),
      ...strange.map((item) => `${owner.name} sees ${JSON.stringify(item)}`),
    ]
    for (const [method, path] of STRANGE) {
      const asking = { method, ...(method === 'PATCH' && { json: {} }) }
      const { status } = await this.ask(owner.token, `${SUBSCRIPTIONS}/${other}${path}`, asking)
      if (status !== 404) problems.push(`${method} ${other}${path} by ${owner.name} was answered ${status}`)
    }
    return problems
  }
}

interface Named {
  readonly living: ReadonlySet<string>
  readonly ever: ReadonlySet<string>
  readonly other: string
}

export function itemsOf(json: Json): readonly Json[] {
  const items = field(json, 'items')
  return Array.isArray(items) ? items : []
}
