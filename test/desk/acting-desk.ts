import { createAdminApp } from '../../src/serve/admin-app.ts'
import type { AdminActions, AdminContext } from '../../src/serve/admin-context.ts'
import { sampleDesk, type SampleDesk } from './sample-desk.ts'

const TOKEN = 'a-token-that-may-do-everything'
export const VIEWER_TOKEN = 'a-token-that-may-look-around'

export interface Shown {
  readonly status: number
  readonly text: string
  /** Where it leads; null: nowhere. */
  readonly location: string | null
}

/** What was asked of the actions, and what each answers; a test replaces those that it needs. */
export class ActingDesk {
  readonly sample: SampleDesk
  readonly acted: string[] = []
  readonly #app: ReturnType<typeof createAdminApp>
  readonly #cookies = new Map<string, string>()
  readonly #token: string

  constructor({ token = TOKEN, about = {}, actions = {} }: ActingOptions = {}) {
    this.#token = token
    this.sample = sampleDesk({
      access: () => ({ token: TOKEN, viewerToken: VIEWER_TOKEN, tokens: [], publicUrl: null }),
      actionsOf: () => ({ ...this.#recorded(), ...actions }),
      ...about,
    })
    this.#app = createAdminApp(this.sample.context)
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return await this.#send(path, { headers })
  }

  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Shown> {
    const body = new URLSearchParams(fields)
    return await this.#send(path, { method: 'POST', body, headers: {} })
  }

  /** Does it, and follows to the page that says what came of it. */
  async acts(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Shown> {
    const { location } = await this.post(path, fields)
    if (location === null) throw new Error(`${path} leads nowhere.`)
    return await this.get(location)
  }

  async #send(
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers: Readonly<Record<string, string>> },
  ): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { host: 'localhost', accept: 'text/html', authorization: `Bearer ${this.#token}`, cookie }
    const request = new Request(`http://localhost${path}`, { ...init, headers: { ...headers, ...init.headers } })
    const response = await this.#app.fetch(request, { peer: { address: '127.0.0.1', hangUp: () => undefined } })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return { status: response.status, text: await response.text(), location: response.headers.get('location') }
  }

  #recorded(): AdminActions {
    const note = <T>(what: string, answer: T): T => {
      this.acted.push(what)
      return answer
    }
    return {
      retry: async (id) => note(`retry ${id}`, 1),
      countMatching: async () => 12,
      retryMatching: async (choice) => note(`retry all ${JSON.stringify(choice)}`, 12),
      test: async (name) => note(`test ${name}`, null),
      enable: async (name) => note(`enable ${name}`, 3),
      disable: async (name) => note(`disable ${name}`, undefined),
      discard: async (name) => note(`discard ${name}`, 3),
      subscribe: async ({ name }) => note('subscribe', { name: JSON.stringify(name), secret: 'whsec_new' }),
      alter: async (name) => note(`alter ${name}`, { name, secret: null }),
      rotateSecret: async (name) => note(`rotate ${name}`, 'whsec_other'),
      unsubscribe: async (name) => note(`unsubscribe ${name}`, undefined),
      acknowledge: async () => await Promise.reject(new Error('Nothing is open.')),
      countSnapshot: async (name) => ({ rows: name === 'empty' ? 0 : 1_200, leftOut: 30 }),
      beginSnapshot: async (name, only) => note(`snapshot ${name} ${only}`, 1_200),
      cancelSnapshot: async (name) => note(`cancel ${name}`, undefined),
      takeFeed: async (name, position) => note(`take ${name} ${position}`, 1),
      judgeHold: async ({ account, resource }, verdict) => {
        const hold = this.sample.store.held.find((each) => each.account === account && each.resource === resource)
        if (hold === undefined) throw new Error('Nothing is held.')
        return note(`${verdict} ${account} ${resource}`, { ...hold, verdict })
      },
    }
  }
}

interface ActingOptions {
  readonly token?: string
  readonly about?: Partial<AdminContext>
  readonly actions?: Partial<AdminActions>
}
