import type { ShipbellEvent } from '../model/event.ts'
import { payloadBytes, type PayloadBytes, type PayloadShape } from '../model/payload.ts'

const MOST_BYTES = 1024 * 1024

/**
 * The bytes to send of an event, made once for all subscriptions that want the same shape of it. Keeps those used last,
 * 1 MiB at most: an event is claimed for its subscribers at about the same time, and bytes that are kept for long cost the
 * collector more than making them again does.
 */
export class RenderedBodies {
  readonly #kept = new Map<string, PayloadBytes>()
  #bytes = 0

  of(event: ShipbellEvent, shape: PayloadShape): PayloadBytes {
    const envelope = shape.format === 'cloudevents' ? `${shape.format} ${shape.source ?? ''}` : shape.format
    // In a database that went back an event may ring anew, by the same id.
    const key = `${event.id} ${event.sequence} ${event.timestamp} ${shape.payload} ${shape.limitBytes ?? ''} ${shape.publicUrl ?? ''} ${envelope}${shape.omit === undefined ? '' : JSON.stringify(shape.omit)}`
    const body = this.#take(key) ?? payloadBytes(event, shape)
    this.#kept.set(key, body)
    this.#bytes += body.bytes.length
    if (this.#bytes > MOST_BYTES) this.#dropOldest()
    return body
  }

  #take(key: string): PayloadBytes | undefined {
    const body = this.#kept.get(key)
    if (body === undefined) return undefined
    this.#kept.delete(key)
    this.#bytes -= body.bytes.length
    return body
  }

  #dropOldest(): void {
    for (const oldest of this.#kept.keys()) {
      this.#take(oldest)
      if (this.#bytes <= MOST_BYTES) return
    }
  }
}
