import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { field, textField, type Json } from '../../../src/model/json.ts'
import { randomOf } from '../../../src/sandbox/random.ts'
import { listening } from '../soak/listening.ts'
import { keyOf } from './losing-proxy.ts'
import type { OwnedSubscription } from './owned-subscription.ts'

/** Attempts that were under way when a subscription ended may come for so long. */
const STRAGGLE_MS = 3_000
/** Who sends knows within this what was changed. */
const FOLLOWED_MS = 3_000
/** What a receiver does that fails, each as often: it says back all that it was told. */
const FAILURES = ['error', 'redirect', 'reset'] as const

/** The receivers of all owners, a path each. They tell what they were told to whoever asks, as careless or hostile ones do. */
export class OwnedTargets implements AsyncDisposable {
  readonly url: string
  readonly problems: string[] = []
  readonly subscriptions = new Map<string, OwnedSubscription>()
  taken = 0
  repeats = 0
  tests = 0
  watermarks = 0
  failures = 0
  readonly #server: Server
  readonly #random
  readonly #failing: number
  /** The newest version of each subject that came to a subscription with an order. */
  readonly #newest = new Map<string, number>()

  private constructor(server: Server, url: string, { failing, seed }: { seed: number; failing: number }) {
    this.#server = server
    this.url = url
    this.#failing = failing
    this.#random = randomOf('targets', seed)
    server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => this.#take(request, Buffer.concat(chunks), response))
    })
  }

  static async start(options: { readonly seed: number; readonly failing: number }): Promise<OwnedTargets> {
    const server = createServer({ keepAliveTimeout: 60_000 })
    return new OwnedTargets(server, await listening(server), options)
  }

  #take(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const name = pathname.replace('/in/', '')
    const own = this.subscriptions.get(name)
    if (own === undefined) return this.#refuse(response, `something was sent to ${pathname}, which nobody has`)
    const said = body.toString()
    const wrong =
      (searchParams.get('key') === own.target ? null : 'was sent to an address that it had before') ??
      (request.headers['x-own-key'] === own.header ? null : 'was sent with a header that it had before') ??
      wrongSignature(request, said, own) ??
      own.wish.without?.map((text) => (said.includes(text) ? `was sent ${text}` : null)).find((each) => each !== null)
    const payload: Json = JSON.parse(said)
    const isRow = textField(payload, 'type')?.startsWith('shipbell.') !== true
    const mayBeLate = !isRow && performance.now() < own.changedAt + FOLLOWED_MS
    if (wrong !== null && wrong !== undefined && !mayBeLate) return this.#refuse(response, `${name} ${wrong}`)
    const echo = `${request.url} ${own.header} ${own.secrets.join(' ')}`
    if (textField(payload, 'type') === 'shipbell.test') {
      this.tests += 1
      response.writeHead(own.isTestRefused ? 503 : 200, { 'x-echo': own.header }).end(echo)
      return
    }
    if (textField(payload, 'type') === 'shipbell.watermark') {
      if (own.state !== 'open' && !mayBeLate) this.#strange(own, 'a watermark')
      this.watermarks += 1
      response.writeHead(200).end(echo)
      return
    }
    if (this.#random.next() < this.#failing) return this.#fail(response, echo)
    this.#receive(own, payload, String(request.headers['webhook-id']))
    response.writeHead(200, { 'x-echo': own.header }).end(echo)
  }

  #receive(own: OwnedSubscription, payload: Json, id: string): void {
    const key = keyOf(payload)
    const before = own.received.get(key)
    if (before !== undefined) {
      this.repeats += 1
      if (before !== id) this.problems.push(`${own.name}: ${key} came as ${before} and as ${id}`)
      return
    }
    if (!own.oracle.expected.has(key))
      this.problems.push(`${own.name} (${own.state}) was sent ${key}, which is not for it`)
    if (own.state !== 'open') this.#strange(own, key)
    own.received.set(key, id)
    const place = field(payload, 'delivery')
    if (textField(place, 'subscription') !== own.name) this.problems.push(`${own.name} was sent what is of another`)
    own.places.set(Number(field(place, 'position')), key)
    own.series.add(textField(place, 'series') ?? '')
    this.taken += 1
    if (own.wish.isOrdered === true) this.#inOrder(own, payload)
  }

  /** What comes at a target that is to get nothing, unless it was under way when its subscription ended. */
  #strange({ endedAt, name, state }: OwnedSubscription, what: string): void {
    if (state !== 'ended' || performance.now() > endedAt + STRAGGLE_MS)
      this.problems.push(`${name} was sent ${what} while it is ${state}`)
  }

  #inOrder({ name }: OwnedSubscription, payload: Json): void {
    const subject = field(payload, 'subject')
    const [lane, version] = [`${name} ${textField(subject, 'id') ?? ''}`, Number(field(subject, 'version'))]
    if (version < (this.#newest.get(lane) ?? 0)) this.problems.push(`${lane}: ${version} came late`)
    this.#newest.set(lane, version)
  }

  #fail(response: ServerResponse, echo: string): void {
    this.failures += 1
    const failure = this.#random.pick(FAILURES)
    if (failure === 'reset') response.socket?.resetAndDestroy()
    else if (failure === 'error') response.writeHead(500, 'Broken').end(echo)
    else response.writeHead(302, { location: `/in/elsewhere?${encodeURIComponent(echo)}` }).end(echo)
  }

  #refuse(response: ServerResponse, problem: string): void {
    this.problems.push(problem)
    response.writeHead(400).end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** Each secret that was given within the day has signed it, and no other one. */
function wrongSignature({ headers }: IncomingMessage, body: string, { secrets }: OwnedSubscription): string | null {
  const signed = String(headers['webhook-signature']).split(' ')
  const own = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  })
  if (own.length === 0 || own.some((each) => !signed.includes(each)))
    return 'was sent what one of its secrets did not sign'
  return signed.length > own.length ? 'was sent what more than its secrets signed' : null
}
