import type { Clock, LetOthers } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import type { Exchange, Validator } from '../model/exchange.ts'
import type { ProxySettings, TlsSettings } from '../model/subscription.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../model/json.ts'
import { RESOURCES, type ListedResource } from '../model/resource.ts'
import { bodyOf, freeBytes, type Body, type PlatformAnswer } from './answer.ts'
import { broken, type Failure, type Outcome, type Page, type Unchanged } from './outcome.ts'
import { judgeItem, kindOf } from './judge-item.ts'
import { describeAnswer, judgeWrite } from './judge-write.ts'
import { isReadDecidedByBody, judgeAnswer } from './judge-answer.ts'
import { sameValidator, validatorInTurns, validatorOf } from './validator-of.ts'
import { itemPath, listPath, resolveCall, siteOf, unknownEndpoint, type Site } from './site.ts'
import { rowsOfText, rowsOfValues, type PageRow } from './page-row.ts'
import type {
  FetchedResource,
  ItemRequest,
  KnownRows,
  PageRequest,
  UnreadPage,
  Call,
  CallOutcome,
  PlatformClient,
  WriteOutcome,
} from './platform.ts'
import { MOST_RECORD_BYTES } from './large/sift-list.ts'
import { notText, readPage, type PageReading } from './read-page.ts'
import { Requester } from './requester.ts'
import type { OrderPreparationDraft } from './wire/order-preparation.ts'
import type { PurchaseOrderDraft, PurchaseOrderUpdate } from './wire/purchase-order.ts'

/** To look through more than this at once, or to parse and judge it, would hold up everybody else. */
const LARGE_BYTES = 1_048_576
/** The largest answer that is parsed as a whole. */
const MOST_UNCUT_BYTES = 64 * 1024

const NOTHING: KnownRows = { ids: new Map(), certainIdField: null }

export interface PlatformClientOptions {
  /** Paths of the interface are appended; may have a path of its own and end in a slash. */
  readonly baseUrl: string
  readonly apiKey: string
  /** One deadline for a whole exchange, body included. */
  readonly timeoutMs: number
  /** Requests under way at once. */
  readonly concurrency: number
  readonly userAgent: string
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** The configured field that identifies a shipment; a page request's own goes before it. */
  readonly shipmentIdField?: string | null
  /** How TLS is spoken; left out or null: by the system's authorities, and without client certificate. */
  readonly tls?: TlsSettings | null | undefined
  /** The proxy that leads to the platform; left out or null: it is dialled from here. */
  readonly proxy?: ProxySettings | null | undefined
  /** Default: the process's. */
  readonly resolve?: Resolve | undefined
  /** See `PageReading`. */
  readonly longestId?: number | undefined
  /** See `RequesterOptions`. */
  readonly mayWrite?: (() => boolean) | undefined
  /** See `RequesterOptions`. */
  readonly letOthers?: LetOthers | undefined
}

/** Throws `config_invalid` for an address or a key that no request could carry. */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const site = siteOf(options.baseUrl, options.apiKey)
  const headers = { authorization: bearer(options.apiKey), accept: 'application/json', 'user-agent': options.userAgent }
  return new HttpPlatform(new Requester({ ...options, site, headers }), site, options)
}

class HttpPlatform implements PlatformClient {
  readonly #requester: Requester
  readonly #site: Site
  readonly #options: Pick<PlatformClientOptions, 'longestId' | 'shipmentIdField'>

  constructor(requester: Requester, site: Site, options: Pick<PlatformClientOptions, 'longestId' | 'shipmentIdField'>) {
    this.#requester = requester
    this.#site = site
    this.#options = options
  }

  async list(
    resource: ListedResource,
    request: PageRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<Page | UnreadPage | Unchanged>> {
    const path = listPath(RESOURCES[resource].list, request)
    const answer = await this.#ask(path, request.known?.etag ?? null, signal)
    if (answer.kind !== 'answer') return answer
    const { exchange } = answer
    const validator = exchange.bytes > LARGE_BYTES ? await validatorInTurns(answer) : validatorOf(answer)
    const same = sameValidator(answer, validator, request.known ?? null)
    if (same !== null) {
      freeBytes(answer.chunks)
      return { kind: 'ok', value: 'unchanged', exchange, validator: same }
    }
    const read = async (known: KnownRows) => this.#pageOf(answer, known, { resource, request })
    if (validator === null) return read(NOTHING)
    return request.known === undefined
      ? marked(await read(NOTHING), validator)
      : { kind: 'ok', value: { kind: 'unread', read }, exchange, validator }
  }

  async item(resource: FetchedResource, id: string, signal?: AbortSignal): Promise<Outcome<JsonObject>> {
    const outcome = await this.#read({ path: itemPath(RESOURCES[resource].item, id), missing: 'not_found' }, signal)
    return outcome.kind === 'ok' ? this.#judgeItem(outcome, { resource, id }) : outcome
  }

  async reread(
    resource: FetchedResource,
    { id, known }: ItemRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<JsonObject | Unchanged>> {
    const path = itemPath(RESOURCES[resource].item, id)
    const outcome = await this.#reread({ path, missing: 'not_found', known }, signal)
    if (outcome.kind !== 'ok') return outcome
    const { value } = outcome
    return value === 'unchanged' ? { ...outcome, value } : this.#judgeItem({ ...outcome, value }, { resource, id })
  }

  async createPurchaseOrder(body: PurchaseOrderDraft, signal?: AbortSignal): Promise<WriteOutcome> {
    return this.#write({ method: 'POST', path: RESOURCES.purchase_order.item, body }, signal)
  }

  async updatePurchaseOrder(body: PurchaseOrderUpdate, signal?: AbortSignal): Promise<WriteOutcome> {
    return this.#write({ method: 'PATCH', path: RESOURCES.purchase_order.item, body }, signal)
  }

  async createOrderPreparation(body: OrderPreparationDraft, signal?: AbortSignal): Promise<WriteOutcome> {
    return this.#write({ method: 'POST', path: RESOURCES.order_preparation.item, body }, signal)
  }

  async call({ method, path, body }: Call, signal?: AbortSignal): Promise<CallOutcome> {
    const resolved = resolveCall(method, path)
    if (resolved === null) throw unknownEndpoint(method, path)
    const answer = await this.#requester.ask({ ...resolved, body, isDecidedByBody: () => true }, signal)
    return answer.kind === 'answer' ? describeAnswer(answer, this.#site) : answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#requester[Symbol.asyncDispose]()
  }

  #judgeItem(
    answer: Extract<Outcome<Parsed>, { kind: 'ok' }>,
    { resource, id }: { readonly resource: FetchedResource; readonly id: string },
  ): Outcome<JsonObject> {
    const { exchange } = answer
    const { charset, json } = answer.value
    const shipmentIdField = this.#options.shipmentIdField ?? null
    const { excerpt } = this.#site
    const judged = judgeItem(json, { resource, id, shipmentIdField, excerpt })
    if (judged.kind === 'failed') return broken(`${this.#answered(exchange)} ${judged.found}.`, exchange)
    if (charset !== null && isJsonObject(json)) {
      const reason = `a record that cannot be used: ${notText(json, { charset, excerpt })}`
      return { kind: 'rejected', reason: `${this.#answered(exchange)} ${reason}`, exchange }
    }
    if (judged.kind === 'record') return { ...answer, value: judged.record }
    return { kind: 'rejected', reason: `${this.#answered(exchange)} ${judged.reason}`, exchange }
  }

  async #pageOf(
    answer: PlatformAnswer,
    { certainIdField, ids }: KnownRows,
    { request, resource }: { readonly request: PageRequest; readonly resource: ListedResource },
  ): Promise<Outcome<Page>> {
    const { longestId } = this.#options
    const shipmentIdField = request.shipmentIdField ?? this.#options.shipmentIdField ?? null
    const { excerpt } = this.#site
    const reading = { resource, shipmentIdField, excerpt, longestId, certainIdField }
    const { exchange, status } = answer
    if (status === 200 && exchange.bytes > LARGE_BYTES) return this.#largePageOf(answer, ids, reading)
    const body = bodyOf(answer)
    const cut = status === 200 ? rowsOfText(body, ids) : null
    // More rows than are cut so, or something else: to parse the whole may take long.
    if (cut === null && status === 200 && exchange.bytes > MOST_UNCUT_BYTES) {
      return this.#largePageOf(answer, ids, reading)
    }
    if (cut !== null) freeBytes(answer.chunks)
    const rows = cut === null ? this.#parsedRows(answer, body) : ({ kind: 'ok', value: cut, exchange } as const)
    return rows.kind === 'ok' ? { ...rows, value: readPage(rows.value, { ...reading, charset: body.charset }) } : rows
  }

  async #largePageOf(answer: PlatformAnswer, known: KnownRows['ids'], reading: PageReading): Promise<Outcome<Page>> {
    const { exchange } = answer
    // Few platforms have large answers: what reads them is loaded with the first.
    const { readLargePage } = await import('./large/read-large-page.ts')
    const read = await readLargePage(answer, known, reading)
    if (read.kind === 'page') return { kind: 'ok', value: read.page, exchange }
    return broken(`${this.#answered(exchange)} ${read.found}.`, exchange)
  }

  #parsedRows(answer: PlatformAnswer, body: Body): Outcome<readonly PageRow[]> {
    const { exchange } = answer
    const judged = judgeAnswer(answer, 'empty', this.#site)
    if (judged.kind !== 'ok') return judged
    const { value } = judged
    if (isJsonArray(value)) return { ...judged, value: rowsOfValues(value, body.isValid(body.bytes)) }
    return broken(`${this.#answered(exchange)} ${kindOf(value)} instead of a list.`, exchange)
  }

  async #read(read: Reading, signal: AbortSignal | undefined): Promise<Outcome<Parsed>> {
    const answer = await this.#ask(read.path, null, signal)
    return answer.kind === 'answer' ? this.#parse(answer, read.missing, null) : answer
  }

  /** Parses only an answer that is not the known one. */
  async #reread(
    { known, missing, path }: Reading & { readonly known: Validator | null },
    signal: AbortSignal | undefined,
  ): Promise<Outcome<Parsed | Unchanged>> {
    const answer = await this.#ask(path, known?.etag ?? null, signal)
    if (answer.kind !== 'answer') return answer
    const validator = validatorOf(answer)
    const same = sameValidator(answer, validator, known)
    if (same !== null) return { kind: 'ok', value: 'unchanged', exchange: answer.exchange, validator: same }
    return this.#parse(answer, missing, validator)
  }

  #ask(path: string, etag: string | null, signal: AbortSignal | undefined): Promise<PlatformAnswer | Failure> {
    return this.#requester.ask({ method: 'GET', path, etag, body: null, isDecidedByBody: isReadDecidedByBody }, signal)
  }

  #parse(answer: PlatformAnswer, missing: Reading['missing'], validator: Validator | null): Outcome<Parsed> {
    const { exchange, status } = answer
    if (status === 200 && exchange.bytes > MOST_RECORD_BYTES) return this.#hugeItem(answer)
    const outcome = judgeAnswer(answer, missing, this.#site)
    if (outcome.kind !== 'ok') return outcome
    const { bytes, charset, isValid } = bodyOf(answer)
    const value = { json: outcome.value, charset: isValid(bytes) ? null : charset }
    return { ...outcome, value, ...(validator === null ? {} : { validator }) }
  }

  #hugeItem({ beginning, exchange }: PlatformAnswer): Outcome<never> {
    if (!beginning.trimStart().startsWith('{')) {
      return broken(`${this.#answered(exchange)} ${exchange.bytes} bytes of something that is no record.`, exchange)
    }
    const reason = `a record that cannot be used: it has more than ${MOST_RECORD_BYTES} bytes.`
    return { kind: 'rejected', reason: `${this.#answered(exchange)} ${reason}`, exchange }
  }

  async #write(write: Write, signal: AbortSignal | undefined): Promise<WriteOutcome> {
    const body = JSON.stringify(write.body)
    const answer = await this.#requester.ask({ ...write, body, isDecidedByBody: () => false }, signal)
    return answer.kind === 'answer' ? judgeWrite(answer, this.#site) : answer
  }

  #answered(exchange: Exchange): string {
    return `${this.#site.host} answered ${this.#site.describe(exchange)} with`
  }
}

interface Reading {
  readonly path: string
  /** What a 404 of the platform's own means. */
  readonly missing: 'empty' | 'not_found'
}

/** Keeps a parsed body apart from the word `unchanged`, which a body may be, too. */
interface Parsed {
  readonly json: Json
  /** What it was written in, where it holds bytes that are no text in it; null: all is text. */
  readonly charset: string | null
}

interface Write {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: PurchaseOrderDraft | PurchaseOrderUpdate | OrderPreparationDraft
}

function marked<T>(outcome: Outcome<T>, validator: Validator): Outcome<T> {
  return outcome.kind === 'ok' ? { ...outcome, validator } : outcome
}

function bearer(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return `Bearer ${apiKey}`
  throw new ShipbellError(
    'config_invalid',
    'api_key is empty or holds a space, a line break or a character outside ASCII, which no header can carry; correct it.',
  )
}
