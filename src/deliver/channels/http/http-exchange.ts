import type { Dispatcher } from 'undici'
import { interimLimit } from './interim-limit.ts'
import type { HttpAnswer } from './judge-answer.ts'

const KEPT_BYTES = 16 * 1024

type Controller = Dispatcher.DispatchController

/**
 * One request as undici reports it. The answer is whole with its last byte, with the first 16 KiB of its body, where nothing
 * more is read and the connection is dropped, or where it breaks off: once there is a status, that has decided (contract
 * section 6).
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #ended = Promise.withResolvers<HttpAnswer>()
  readonly #chunks: Buffer[] = []
  readonly #countInterim = interimLimit()
  #size = 0
  #controller: Controller | null = null
  #cut: Error | null = null
  #head: Omit<HttpAnswer, 'body'> | null = null

  /** Rejects where no status came. */
  get answer(): Promise<HttpAnswer> {
    return this.#ended.promise
  }

  /** Ends it, also where the request still waits for a connection: it is not sent then. */
  cut(reason: Error): void {
    this.#cut = reason
    this.#controller?.abort(reason)
    this.onResponseError(null, reason)
  }

  onRequestStart(controller: Controller): void {
    if (this.#cut === null) this.#controller = controller
    else controller.abort(this.#cut)
  }

  onResponseStart(_: Controller, status: number, headers: HttpAnswer['headers']): void {
    if (status < 200) this.#countInterim()
    else this.#head = { status, headers }
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < KEPT_BYTES) return
    this.#finish()
    controller.abort(new Error('the rest of the answer is not read'))
  }

  onResponseEnd(): void {
    this.#finish()
  }

  onResponseError(_: Controller | null, error: Error): void {
    if (this.#head === null) this.#ended.reject(error)
    else this.#finish()
  }

  #finish(): void {
    this.#controller = null
    if (this.#head !== null) this.#ended.resolve({ ...this.#head, body: asText(this.#chunks) })
  }
}

function asText(chunks: readonly Buffer[]): string | null {
  const kept = chunks.length === 0 ? null : Buffer.concat(chunks).subarray(0, KEPT_BYTES)
  return kept === null || kept.length === 0 ? null : new TextDecoder().decode(kept, { stream: true })
}
