import type { Delivery } from '../../model/delivery.ts'
import { payloadWithoutObject } from '../../model/payload.ts'
import { deliveryJson } from '../../report/delivery.ts'
import type { PlacedEvent } from '../../store/ports/log-port.ts'

/** Bytes that may wait for a reader. */
const MOST_WAITING_BYTES = 1_048_576

/** Which events and rows a stream shows; what is left out does not matter. */
export interface StreamFilter {
  readonly account?: string
  readonly types?: readonly string[]
  /** The subscription whose rows are wanted: such a stream has rows only. */
  readonly subscription?: string
  /** What the reader sees; left out: everything, and places are no secret. */
  readonly narrowed?: NarrowedStream
}

/** What a stream may show, as it is now, and what stands for a place in it. */
export interface NarrowedStream {
  seesEvent(account: string | null): boolean
  seesRow(row: Delivery): boolean
  idOf(place: number): string
}

/** One reader of Server-Sent Events. Nothing is sent twice, and nothing is left out between two places. */
export class LiveStream {
  readonly body: ReadableStream<Uint8Array>
  /** The last place of the log that was sent, or left out by the filter. */
  place: number
  /** When anything was sent last, by the steady clock. */
  sentAt = 0
  readonly #filter: StreamFilter
  readonly #closed = new AbortController()
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #drained: (() => void) | null = null

  readonly #hangUp: () => void

  constructor(place: number, filter: StreamFilter, hangUp: () => void) {
    this.place = place
    this.#filter = filter
    this.#hangUp = hangUp
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#drained?.(),
        cancel: () => this.#closed.abort(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING_BYTES }),
    )
  }

  /** Aborts when the reader has gone, or was cut. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  /** The place goes with it, so that whoever is cut now resumes from here, whatever the filter left out. */
  beat(at: number): void {
    this.#write(ENCODER.encode(`: \nid: ${this.#id()}\n\n`), at)
  }

  open(at: number): void {
    this.#write(ENCODER.encode(`retry: 3000\nid: ${this.#id()}\n\n`), at)
  }

  /** The log is another one after this place: what it has there comes, whatever was sent of the log before. */
  goBack(place: number): void {
    this.place = Math.min(this.place, place)
  }

  /** Sends events in the order of the log; what was sent before is left out. Returns whether there was room for all of them. */
  events(events: readonly PlacedEvent[], at: number): boolean {
    const parcel = new Parcel(this.#room())
    for (const placed of events) {
      if (placed.place <= this.place) continue
      if (!parcel.hasRoom) break
      this.place = placed.place
      if (this.#wants(placed.event)) parcel.add(this.#eventBytes(placed))
    }
    this.#send(parcel, at)
    return this.place >= (events.at(-1)?.place ?? 0)
  }

  /** What there is no room for is left out: the row as it is now is in the list. */
  rows(rows: readonly Delivery[], at: number): void {
    const { narrowed, subscription } = this.#filter
    const parcel = new Parcel(this.#room())
    for (const row of rows) {
      if (!this.#matches(row) || (subscription !== undefined && row.subscription !== subscription)) continue
      if (narrowed?.seesRow(row) === false) continue
      if (parcel.hasRoom) parcel.add(rowBytes(row))
    }
    this.#send(parcel, at)
  }

  #send(parcel: Parcel, at: number): void {
    const bytes = parcel.take()
    if (bytes !== null) this.#write(bytes, at)
  }

  /** Resolves once the reader has taken half of what may wait, or is gone. */
  async drained(): Promise<void> {
    while (!this.#closed.signal.aborted && this.#room() < MOST_WAITING_BYTES / 2) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#drained = resolve
      this.#closed.signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
    }
    this.#drained = null
  }

  /** The reader gets what waits, and then the end. */
  end(): void {
    if (this.#closed.signal.aborted) return
    this.#closed.abort()
    this.#controller?.close()
  }

  /** The reader is too slow. */
  cut(): void {
    this.end()
    this.#hangUp()
  }

  #room(): number {
    return this.#controller?.desiredSize ?? 0
  }

  #wants({ account, type }: PlacedEvent['event']): boolean {
    const { narrowed, subscription } = this.#filter
    return subscription === undefined && this.#matches({ account, type }) && narrowed?.seesEvent(account) !== false
  }

  /** The place of the stream, as its reader is told it. */
  #id(): string {
    return this.#filter.narrowed?.idOf(this.place) ?? String(this.place)
  }

  #eventBytes(placed: PlacedEvent): Uint8Array {
    const { narrowed } = this.#filter
    return narrowed === undefined ? eventBytes(placed) : ENCODER.encode(eventText(placed, narrowed.idOf(placed.place)))
  }

  #matches({ account: of, type }: { readonly account: string | null; readonly type: string }): boolean {
    const { account, types } = this.#filter
    return (account === undefined || of === account) && (types === undefined || types.includes(type))
  }

  #write(bytes: Uint8Array, at: number): void {
    if (this.#closed.signal.aborted || this.#room() <= 0) return
    this.sentAt = at
    this.#controller?.enqueue(bytes)
  }
}

/** What goes to a reader in one piece: each piece is a write to its socket. */
class Parcel {
  readonly #parts: Uint8Array[] = []
  #room: number

  constructor(room: number) {
    this.#room = room
  }

  get hasRoom(): boolean {
    return this.#room > 0
  }

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes)
    this.#room -= bytes.byteLength
  }

  /** The bytes that are to be sent; null: there are none. */
  take(): Uint8Array | null {
    return this.#parts.length === 0 ? null : Buffer.concat(this.#parts)
  }
}

const ENCODER = new TextEncoder()

/** Made once for all streams, as they are given the same objects. */
const MADE = new WeakMap<PlacedEvent | Delivery, Uint8Array>()

function madeOnce<T extends PlacedEvent | Delivery>(of: T, text: (of: T) => string): Uint8Array {
  const bytes = MADE.get(of) ?? ENCODER.encode(text(of))
  MADE.set(of, bytes)
  return bytes
}

function eventBytes(placed: PlacedEvent): Uint8Array {
  return madeOnce(placed, (each) => eventText(each, String(each.place)))
}

function eventText({ event }: PlacedEvent, id: string): string {
  return `event: event\nid: ${id}\ndata: ${payloadWithoutObject(event)}\n\n`
}

function rowBytes(row: Delivery): Uint8Array {
  return madeOnce(row, (each) => `event: delivery\ndata: ${JSON.stringify(deliveryJson(each))}\n\n`)
}
