import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import type { Random } from '../../src/sandbox/random.ts'

/** How a platform answers for a while. */
export type Mood = 'calm' | 'errors' | 'failing' | 'poison' | 'unordered' | 'charsets' | 'twins'

export const MOODS: readonly Mood[] = ['calm', 'errors', 'failing', 'poison', 'unordered', 'charsets', 'twins']

export type Kind = 'shipment' | 'tracking' | 'invoice'

/** What a record says that may change, and what rings then. */
const TOLD: Readonly<Record<Kind, string>> = {
  shipment: 'shipment.updated',
  tracking: 'tracking.status_changed',
  invoice: 'invoice.updated',
}

const MOST_ROWS = 20
const ERRORS: readonly Json[] = [
  { message: 'Internal server error' },
  { error: 'NO_SHIPMENTS' },
  {},
  null,
  [],
  { timestamp: 1_795_651_200, status: 500, error: 'Internal Server Error', path: '/v1' },
  { data: null, errors: [{ code: 'E1' }] },
]
const CHARSETS = ['utf-8', 'iso-8859-1', 'utf-16le', 'none'] as const

/**
 * A platform that answers over HTTP as platforms of this trade do on bad days. It keeps account of what it showed: whatever
 * could be read of a record and differs from what was shown of it before has to ring, once, and nothing else has.
 */
export class HostileAnswers implements AsyncDisposable {
  mood: Mood = 'calm'
  expected: readonly string[] = []
  mutations = 0
  readonly #random: Random
  readonly #values = new Map<string, number>()
  readonly #shown = new Map<string, number>()
  readonly #size: number
  #server: HttpServer | null = null

  private constructor(random: Random, size: number) {
    this.#random = random
    this.#size = size
  }

  static async start(random: Random, size: number): Promise<HostileAnswers> {
    const answers = new HostileAnswers(random, size)
    const fetch = async (request: Request): Promise<Response> => answers.#answer(new URL(request.url))
    answers.#server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The world', remedy: '', fetch })
    return answers
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  /** Something of some records changes. */
  mutate(times: number): void {
    for (let time = 0; time < times; time += 1) {
      const kind = this.#random.pick(['shipment', 'tracking', 'invoice'] as const)
      const id = this.#id(kind, this.#random.whole(0, this.#size - 1))
      // Which of two rows is followed where the known one is gone is nobody's to say.
      if (this.mood === 'twins' && isTwin(id)) continue
      this.mutations += 1
      this.#values.set(`${kind} ${id}`, this.#value(kind, id) + 1)
    }
  }

  /** Of what is expected beyond the first `known`, these kinds were not to ring yet. */
  silence(kinds: readonly Kind[], known: number): void {
    const isSilent = (what: string): boolean => kinds.some((kind) => what.startsWith(TOLD[kind]))
    this.expected = this.expected.filter((what, at) => at < known || !isSilent(what))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  #answer(url: URL): Response {
    const [, , name = '', id] = url.pathname.split('/')
    const kind: Kind = name === 'tracking' ? 'tracking' : name === 'invoices' ? 'invoice' : 'shipment'
    if (id !== undefined) return this.#item(kind, decodeURIComponent(id))
    const [skip, take] = ['skip', 'take'].map((each) => Number(url.searchParams.get(each)))
    return this.#page(kind, skip ?? 0, Math.min(take ?? 0, MOST_ROWS))
  }

  #item(kind: Kind, id: string): Response {
    if (this.mood === 'errors' && this.#random.chance(0.4)) return Response.json(this.#random.pick(ERRORS))
    if (this.mood === 'failing' && number(id) % 3 === 0) return Response.json({ message: 'boom' }, { status: 500 })
    if (kind === 'tracking') this.#show(kind, id)
    return Response.json(this.#record(kind, id))
  }

  #page(kind: Kind, skip: number, take: number): Response {
    const rows = this.#order(kind)
      .flatMap((id) => this.#rows(kind, id))
      .slice(skip, skip + take)
    if (this.mood === 'poison' && rows.some(({ id }) => isPoison(id))) return new Response('boom', { status: 500 })
    const isSpoilt = (id: string): boolean =>
      this.mood === 'charsets' && this.#shown.has(`${kind} ${id}`) && this.#random.chance(0.05)
    const sent = rows.map(({ id, record }) => ({ id, text: JSON.stringify(record), isSpoilt: isSpoilt(id) }))
    for (const row of sent) if (!row.isSpoilt) this.#show(kind, row.id)
    return this.mood === 'charsets' ? this.#encoded(sent) : Response.json(rows.map(({ record }) => record))
  }

  /** A spoilt row is in bytes that are nothing in the charset that is declared. */
  #encoded(rows: readonly { readonly text: string; readonly isSpoilt: boolean }[]): Response {
    const isWhole = rows.every(({ isSpoilt }) => !isSpoilt)
    const charset = isWhole ? this.#random.pick(CHARSETS) : 'none'
    const encoding = charset === 'iso-8859-1' ? 'latin1' : charset === 'utf-16le' ? 'utf16le' : 'utf8'
    const parts = rows.flatMap(({ text, isSpoilt }, at) => [
      Buffer.from(at === 0 ? '[' : ',', encoding),
      Buffer.from(text, isSpoilt ? 'latin1' : encoding),
    ])
    const body = Buffer.concat([
      ...(rows.length === 0 ? [Buffer.from('[', encoding)] : parts),
      Buffer.from(']', encoding),
    ])
    const type = charset === 'none' ? 'application/json' : `application/json; charset=${charset}`
    return new Response(new Uint8Array(body), { headers: { 'content-type': type } })
  }

  /** Another row under the id of a record that has not changed since it was shown. */
  #rows(kind: Kind, id: string): readonly { readonly id: string; readonly record: JsonObject }[] {
    const record = this.#record(kind, id)
    const isKnown = this.#shown.get(`${kind} ${id}`) === this.#value(kind, id)
    if (this.mood !== 'twins' || !isTwin(id) || !isKnown) return [{ id, record }]
    const twin = { ...record, name: `Another of ${id}`, number: `Another of ${id}` }
    const both = this.#random.chance(0.5) ? [record, twin] : [twin, record]
    return both.map((each) => ({ id, record: each }))
  }

  /** Without total order, rows that have alike what a list is sorted by change places with every request. */
  #order(kind: Kind): readonly string[] {
    const ids = Array.from({ length: this.#size }, (_, at) => this.#id(kind, at))
    if (this.mood !== 'unordered') return ids
    const places = new Map(ids.map((id, at) => [id, at + this.#random.whole(0, 6)]))
    return ids.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))
  }

  /** What is shown for the first time was there at the baseline. */
  #show(kind: Kind, id: string): void {
    const key = `${kind} ${id}`
    const [was, is] = [this.#shown.get(key), this.#value(kind, id)]
    this.#shown.set(key, is)
    if (was !== undefined && was !== is) this.expected = [...this.expected, `${TOLD[kind]} ${id}`]
  }

  #id(kind: Kind, at: number): string {
    return `${kind === 'invoice' ? 'INV' : 'SHP'}-${at + 1}`
  }

  #value(kind: Kind, id: string): number {
    return this.#values.get(`${kind} ${id}`) ?? 0
  }

  #record(kind: Kind, id: string): JsonObject {
    const value = `Köln ${this.#value(kind, id)}`
    switch (kind) {
      case 'shipment':
        return { platform_shipment_id: id, name: value, status: 'booked', cargo: { total_teus: 2 } }
      case 'tracking':
        return { platform_shipment_id: id, status: value, tracking_steps: [{ type: 'departure', events: [] }] }
      case 'invoice':
        return { reference: id, number: value, type: 'invoice', status: 'paid', lines: [] }
      default:
        return kind satisfies never
    }
  }
}

function number(id: string): number {
  return Number(id.slice(id.indexOf('-') + 1))
}

function isTwin(id: string): boolean {
  return number(id) % 13 === 5
}

/** The first page is sound: where nothing of a list answers, it is not one row that fails. */
function isPoison(id: string): boolean {
  return number(id) > MOST_ROWS && number(id) % 17 === 6
}
