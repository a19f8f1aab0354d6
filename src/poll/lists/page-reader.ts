import { hash } from 'node:crypto'
import { ignoredPaths } from '../../model/account.ts'
import { isFresh } from '../../model/record-state.ts'
import type { Exchange, Validator } from '../../model/exchange.ts'
import type { FieldTree } from '../../model/field-tree.ts'
import { contentHashOf } from '../../model/content-hash.ts'
import { idAtPlatform } from '../../model/invoice-id.ts'
import { shallowText } from '../../model/json.ts'
import { RECORD_OF, type RecordResource } from '../../model/resource.ts'
import { TAKE } from '../../plan/paging.ts'
import type { Outcome, Page, Unchanged } from '../../platform/outcome.ts'
import type { BatchChange } from '../../store/ports/commit-port.ts'
import type { PageContents, StoredPage } from '../../store/ports/list-port.ts'
import { readOf } from '../ingest/record-facts.ts'
import type { ListContext } from '../poll-context.ts'
import type { PendingRider, RequestOptions } from '../requests/account-client.ts'
import { EtagTrust } from '../requests/etag-trust.ts'
import type { Priority } from '../requests/priority-queue.ts'
import type { PagePlace, PageShown } from './page-of-rows.ts'

export interface PageReadRequest {
  readonly skip: number
  /** How many rows are asked for; left out: as many as a page may have. */
  readonly take?: number
  /** The pass that it counts for; null: for none. */
  readonly pass: number | null
  /** Whether a known answer need not be parsed. */
  readonly maySkip: boolean
  /** How urgent the read is; left out: `pass`. */
  readonly priority?: Priority
  /** See `RequestOptions`. */
  readonly tries?: number
  readonly blame?: RequestOptions['blame']
  readonly signal: AbortSignal
  /** See `RequestOptions`. */
  readonly rider?: PageMove | null
}

export type PageAnswer =
  /** The answer that was known: what it shows was committed long ago, and its last read is committed by now, or is by `move`. */
  | SamePageAnswer
  /** Rows to be judged and committed. */
  | ({ readonly kind: 'shown' } & PageShown)
  | { readonly kind: 'failed'; readonly reason: string; readonly exchange: Exchange | null }

export interface SamePageAnswer {
  readonly kind: 'same'
  readonly place: PagePlace
  readonly exchange: Exchange
  readonly move: PageMove
}

export type ReadPage = Exclude<PageAnswer, { readonly kind: 'failed' }>

/** Whether a request failed in a way that may be the page's own: the platform was asked, and did not refuse the key. */
export function isPageTrouble({ exchange }: { readonly exchange: Exchange | null }): boolean {
  return exchange !== null && exchange.status !== 401 && exchange.status !== 403
}

/** An answer that is the known one again. */
interface SameAnswer {
  readonly known: StoredPage
  readonly validator: Validator
  readonly exchange: Exchange
  readonly pass: number | null
}

/** The last read of a page that showed what was known, on its way into the store. */
class PageMove implements PendingRider {
  readonly #write: (others: readonly BatchChange[]) => Promise<boolean>
  #written: Promise<boolean> | null = null

  constructor(write: (others: readonly BatchChange[]) => Promise<boolean>) {
    this.#write = write
  }

  get isPending(): boolean {
    return this.#written === null
  }

  /** Writes it, unless that was done. False where the page was written by another read meanwhile, and is another now. */
  write(others: readonly BatchChange[] = []): Promise<boolean> {
    this.#written ??= this.#write(others)
    return this.#written
  }
}

/** `before`: the page as it was when its last answer was judged; null: nobody vouches for it. */
type Reading = Pick<PageShown, 'page' | 'before'>

/** By what rows become records; another number where that changes, so that pages which are known are judged anew. */
const ROW_RULES = 2

const EMPTY: Reading = { page: { rows: [], shipmentIdField: null, certainIdField: null }, before: null }

/**
 * Reads single pages of a list. An answer that is the last one again (the same bytes, or a 304) is not parsed: only the last
 * read of its page moves on, and with it that of every record on it. That hides nothing, because `StoredPage.validator` is null
 * unless all of this holds:
 *
 * - every row of the last answer was understood and applied: none was rejected, withheld, overtaken, or one of two under an id;
 * - its records are those on the page: none was removed since, none was missed;
 * - nothing else has shown one of them since: no other page, no fetch by id;
 * - the page is judged by the same rules (`#rules`), and its list has a baseline.
 *
 * The commit of a known answer names the page as it was known. If that page was written meanwhile, and is another now, it is asked
 * for again.
 */
export class PageReader {
  readonly #context: ListContext
  /**
   * The rules by which pages are judged, as a short text. Under other rules a known answer may teach something after all: another
   * id of each shipment, or a field that has drifted.
   */
  readonly #rules: string
  readonly #etagTrust: EtagTrust

  constructor(context: ListContext) {
    const { account, fields, watch } = context
    this.#context = context
    this.#etagTrust = new EtagTrust(context)
    const resource = RECORD_OF[watch]
    const rules = [ROW_RULES, account.shipmentIdField, ignoredPaths(account, resource), namesOf(fields[resource])]
    this.#rules = hash('sha256', JSON.stringify(rules), 'base64url').slice(0, 22)
  }

  /** Reads a page. An answer that is known is committed, and read anew where its page is another by now. */
  async read(request: PageReadRequest): Promise<PageAnswer> {
    const answer = await this.ask(request)
    return answer.kind !== 'same' || (await answer.move.write()) ? answer : this.readAnew(request, answer)
  }

  /** Reads a page whose known answer another read has overtaken; it must not be forgotten that the platform gave it. */
  readAnew(request: PageReadRequest, overtaken: SamePageAnswer): Promise<PageAnswer> {
    return this.ask({ ...request, maySkip: false, rider: null }, overtaken.place.validator)
  }

  /** Reads a page, and leaves it to the caller to commit an answer that is known. */
  async ask(request: PageReadRequest, said: Validator | null = null): Promise<PageAnswer> {
    const { blame = 'unknown', pass, rider, signal, skip, priority = 'pass', tries } = request
    const { accountClient, watch } = this.#context
    const latest = await this.#latest(skip)
    const stored = latest?.rules === this.#rules ? latest : null
    const known = request.maySkip && stored?.validator != null ? stored : null
    const validated = known?.validator ?? null
    const trusted = validated === null || validated.etag === null ? validated : await this.#trusted(skip, known)
    const how = { signal, priority, of: 'list', place: { watch, skip }, blame, tries, rider } as const
    const answer = await accountClient.ask(() => this.#ask(request, { stored, trusted }), how)
    if (answer.kind === 'failed') return answer
    const { exchange, validator, value } = answer
    if (value !== 'unchanged') {
      await this.#etagTrust.compare(nameOf(skip), [stored?.validator ?? null, validator])
      await this.#etagTrust.compare(nameOf(skip), [said, validator])
      const { before, page } = value ?? EMPTY
      const wasJudged = stored === null && latest?.validator != null && isSameBody(latest.validator, validator)
      return { kind: 'shown', page, place: this.#place(skip, page, validator), before, wasJudged, exchange }
    }
    if (known === null || validator === null) return this.ask({ ...request, maySkip: false, rider: null }, validator)
    const move = new PageMove((others) => this.#moveOn({ known, validator, exchange, pass }, others))
    return { kind: 'same', place: { ...known, validator }, exchange, move }
  }

  /** The page of a known answer that another read has found to be the same meanwhile; null: it is another now. */
  async #sameAgain({ known, validator }: SameAnswer): Promise<StoredPage | null> {
    const latest = await this.#latest(known.skip)
    return latest?.rules === this.#rules && latest.validator?.contentHash === validator.contentHash ? latest : null
  }

  /** The page as it was judged last; null where it never was. */
  #latest(skip: number): Promise<StoredPage | null> {
    const { account, committer, watch } = this.#context
    return committer.store.page(account.name, RECORD_OF[watch], skip)
  }

  /** The validator of a known page to ask with. */
  async #trusted(skip: number, known: StoredPage | null): Promise<Validator | null> {
    if (known === null || known.validator === null) return null
    const { lastRead, validator } = known
    const answer = { name: nameOf(skip), validator, sentAt: lastRead.sentAt }
    return this.#etagTrust.trusted(answer, this.#context.clock.now())
  }

  /** One request. Where it shows another page than the known one, its rows are read beside those. */
  async #ask(
    { signal, skip, take = TAKE }: PageReadRequest,
    { stored, trusted }: { readonly stored: StoredPage | null; readonly trusted: Validator | null },
  ): Promise<Outcome<Reading | Unchanged>> {
    const { account, platform, watch } = this.#context
    const request = { skip, take, shipmentIdField: account.shipmentIdField, known: trusted }
    const outcome = await platform.list(RECORD_OF[watch], request, signal)
    if (outcome.kind !== 'ok') return outcome
    const { value } = outcome
    if (value === 'unchanged') return { ...outcome, value }
    if ('rows' in value) return { ...outcome, value: { page: value, before: null } }
    const contents = stored === null ? null : await this.#contents(skip)
    const read = await value.read(contents ?? { ids: new Map(), certainIdField: null })
    const before = contents?.validator == null ? null : contents
    return read.kind === 'ok' ? { ...outcome, value: { page: read.value, before } } : read
  }

  /** The page with the records on it. */
  async #contents(skip: number): Promise<PageContents | null> {
    const { account, committer, watch } = this.#context
    const contents = await committer.store.contents(account.name, RECORD_OF[watch], skip)
    return contents?.rules === this.#rules ? contents : null
  }

  #place(skip: number, page: Page, validator: Validator | null): PagePlace {
    const { certainIdField, rows } = page
    return {
      skip,
      rows: rows.length,
      contentHash: hashOf(RECORD_OF[this.#context.watch], page),
      rules: this.#rules,
      certainIdField,
      validator,
    }
  }

  /**
   * Moves the last read of a known answer, and commits `others` with it. False where the page, or a record on it, was written while
   * the request was under way, and the page is another now: then `others` alone are committed.
   */
  async #moveOn(same: SameAnswer, others: readonly BatchChange[]): Promise<boolean> {
    let hasMoved = true
    await this.#context.committer.commit(this.#context.account.name, async (attempt) => {
      const known = attempt === 1 ? same.known : attempt === 2 ? await this.#sameAgain(same) : null
      hasMoved = known !== null
      const changes = known === null ? others : [this.#changeOf(same, known), ...others]
      return changes.length === 0 ? null : { changes }
    })
    return hasMoved
  }

  #changeOf({ exchange, pass, validator }: SameAnswer, known: StoredPage): BatchChange {
    const read = readOf(exchange)
    const { lastRead, skip } = known
    const place = { resource: RECORD_OF[this.#context.watch], skip, known } as const
    return { kind: 'page', page: { kind: 'same', ...place, read, pass, validator, isFresh: isFresh(read, lastRead) } }
  }
}

function nameOf(skip: number): string {
  return `page at ${skip}`
}

/** Rows without an id are told apart by what lies no deeper. */
const DEEPEST = 64

/** By ids, not by content: a platform that ignores `skip` may render the same rows anew (presigned links). */
function hashOf(resource: RecordResource, page: Page): string {
  const ids = page.rows.map((row) => (row.id === null ? row.record : idAtPlatform(resource, row.id)))
  return contentHashOf(shallowText(ids, DEEPEST))
}

/** Whether the bytes are the same, in whatever charset they were read. */
function isSameBody(one: Validator, other: Validator | null): boolean {
  return bytesHash(one) === (other === null ? null : bytesHash(other))
}

function bytesHash({ contentHash }: Validator): string {
  return contentHash.split(' ', 1)[0] ?? ''
}

/** What `plain` makes of the trees: every account is read by the same ones. */
const PLAIN = new WeakMap<FieldTree, unknown>()

function namesOf(tree: FieldTree): unknown {
  const names = PLAIN.get(tree) ?? plain(tree)
  PLAIN.set(tree, names)
  return names
}

function plain({ elements, fields }: FieldTree): unknown {
  return [elements === null ? null : plain(elements), [...fields].map(([name, tree]) => [name, plain(tree)])]
}
