import { writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { request } from 'undici'
import { Service } from '../../src/app.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { createLogger } from '../../src/log.ts'
import type { Json } from '../../src/model/json.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { scratchFolder } from '../config/scratch.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { Receiver } from './receiver.ts'
import { putEmptyStore } from '../support/empty-store.ts'

export const TOKEN = 'admin-token-0123456789'
export const VIEWER = 'viewer-token-0123456789'
const API_KEY = 'platform-key-0123456789'
export const SECRETS = [TOKEN, VIEWER, API_KEY, SECRET, SECRET.slice(6)]

export interface Asking {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json: Json
}

interface Configuring {
  readonly text: (receiver: string, http: string) => string
  readonly before?: Desk
}

/** A running service with its admin interface on loopback. Time stands still unless a test moves it. */
export class Desk {
  readonly clock: FakeClock
  readonly url: string
  readonly receiver: Receiver
  readonly #service: Service
  readonly #folder: string
  readonly #close: () => Promise<void>
  readonly #lines: string[]
  readonly #stop: AbortController
  readonly #texts: (http: string) => string

  private constructor(parts: {
    clock: FakeClock
    url: string
    receiver: Receiver
    service: Service
    folder: string
    close: () => Promise<void>
    lines: string[]
    stop: AbortController
    text: (http: string) => string
  }) {
    this.clock = parts.clock
    this.url = parts.url
    this.receiver = parts.receiver
    this.#service = parts.service
    this.#folder = parts.folder
    this.#close = parts.close
    this.#lines = parts.lines
    this.#stop = parts.stop
    this.#texts = parts.text
  }

  /** With other keys of `http` than `before`, whose store it opens, unless null. */
  static async open(http: string | null = `token: ${TOKEN}, viewer_token: ${VIEWER}`, before?: Desk): Promise<Desk> {
    return await Desk.configured(http, { text: configuration, ...(before !== undefined && { before }) })
  }

  /** A desk of another configuration: `text` is given the receiver's address, and what is under `http`. */
  static async configured(http: string | null, { before, text: textOf }: Configuring): Promise<Desk> {
    const receiver = await Receiver.start()
    const text = (access: string): string => textOf(receiver.url, access)
    const folder = before === undefined ? scratchFolder({ 'shipbell.yaml': text(http ?? '') }) : before.#folder
    if (before !== undefined && http !== null) writeFileSync(`${folder}/shipbell.yaml`, text(http))
    if (before === undefined) putEmptyStore(`${folder}/shipbell.db`)
    const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd: folder, env: {} }))
    const clock = new FakeClock()
    const lines: string[] = []
    const write = (line: string): void => void lines.push(line)
    const log = createLogger({ level: 'info', pretty: false, colour: false, secrets: () => live.secrets, write })
    const options = { live, clock, log, random: () => 0, command: 'run', progress: () => undefined }
    const service = await Service.open(options)
    const server = await service.serve()
    const stop = new AbortController()
    const running = service.run(stop.signal)
    const close = once(async () => {
      stop.abort()
      await running
      await service[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    })
    onTestFinished(close)
    return new Desk({ clock, url: server?.url ?? '', receiver, service, folder, close, lines, stop, text })
  }

  get folder(): string {
    return this.#folder
  }

  get store(): Store {
    return this.#service.store
  }

  /** Lines of the log, by what they say happened. */
  logged(message: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
  }

  get log(): string {
    return this.#lines.join('')
  }

  /** The service is told to stop. */
  stop(): void {
    this.#stop.abort()
  }

  async close(): Promise<void> {
    await this.#close()
  }

  /** A new process on the same store. */
  async restarted(): Promise<Desk> {
    await this.#close()
    return await Desk.open(null, this)
  }

  async reload(http: string): Promise<void> {
    const folder = this.#folder
    const files = scratchFolder({
      'shipbell.yaml': this.#texts(http).replace('path: shipbell.db', `path: ${folder}/shipbell.db`),
    })
    await this.#service.reload(requireConfig('shipbell.yaml', { cwd: files, env: {} }))
  }

  async ask(path: string, { method = 'GET', token, headers = {}, body }: Asking = {}): Promise<Answer> {
    const all = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers }
    const answer = await request(this.url + path, { method, headers: all, ...(body !== undefined && { body }) })
    const text = await answer.body.text()
    const isJson = String(answer.headers['content-type']).includes('json') && text !== ''
    return { status: answer.statusCode, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null }
  }

  /** Signs in as a browser does. Resolves to the `Cookie` header of what comes next. */
  async signIn(token: string): Promise<string> {
    const body = new URLSearchParams({ token }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await this.ask('/login', { method: 'POST', headers, body })
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '')
    return cookies.filter((cookie) => !cookie.endsWith('=')).join('; ')
  }

  /** Time goes on until it is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => true,
      () => true,
    )
    const passed = async (): Promise<boolean> => {
      await this.clock.advance(50)
      return false
    }
    while (!(await Promise.race([ended, passed()])));
    return await work
  }
}

function configuration(receiver: string, http: string): string {
  return `accounts:
  acme: { base_url: 'http://127.0.0.1:9', api_key: ${API_KEY}, watch: {} }
subscriptions:
  erp: { url: '${receiver}/', secret: ${SECRET}, events: ['shipment.*'] }
  quiet: { url: '${receiver}/', secret: ${SECRET}, events: ['invoice.*'], enabled: false }
  marked: { url: '${receiver}/', secret: ${SECRET}, events: ['location.*'], watermark: 2s }
  portal: { pull: {}, events: ['document.*'], format: cloudevents-binary, payload: thin }
delivery: { allow_networks: [127.0.0.0/8], retry: [1m] }
storage: { path: shipbell.db }
http: { listen: '127.0.0.1:0', ${http} }
`
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return async () => await (done ??= work())
}
