import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { nextStatusLine, type StatusLine } from './status-line.ts'

type Dispatch = (request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => void

/** Who hears of the status line of its answer, beside what undici reports. */
interface Reader {
  readonly onStatusLine?: (line: StatusLine) => void
}

/** Where requests of one client go. */
export interface Way {
  /** The connection there is; null: none. */
  readonly socket: () => Socket | null
  /** Whether anything may still be sent. */
  readonly isOpen: () => boolean
  /** On a fresh connection, at once. */
  readonly sendAgain: Dispatch
  /** Like a new request. */
  readonly startOver: Dispatch
}

type Handler = Required<Dispatcher.DispatchHandler>

interface Sent {
  readonly controller: Dispatcher.DispatchController
  readonly socket: Socket
  /** What had been read there before. */
  readonly bytesBefore: number
}

/**
 * Passes on what undici reports of a request, unless the request was lost with a connection that had answered before. Then the
 * same request is dispatched again while undici still reports the loss: its client connects anew, and the number of connections
 * stays as it was.
 */
export class ResentRequest implements Dispatcher.DispatchHandler {
  readonly #request: Dispatcher.DispatchOptions
  readonly #handler: Dispatcher.DispatchHandler & Reader
  readonly #way: Way
  readonly #isSecond: boolean
  #sent: Sent | null = null

  /** `isSecond`: it was sent before, or may be sent only once, and is not sent once more. */
  constructor(
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler & Reader,
    { way, isSecond }: { readonly way: Way; readonly isSecond: boolean },
  ) {
    this.#request = request
    this.#handler = handler
    this.#way = way
    this.#isSecond = isSecond
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    const socket = this.#way.socket()
    if (socket !== null) {
      this.#sent = { controller, socket, bytesBefore: socket.bytesRead }
      const line = nextStatusLine(socket)
      if (line !== null) this.#handler.onStatusLine?.(line)
    }
    this.#handler.onRequestStart?.(controller, context)
  }

  onResponseStart(...args: Parameters<Handler['onResponseStart']>): void {
    this.#handler.onResponseStart?.(...args)
  }

  onResponseData(...args: Parameters<Handler['onResponseData']>): void {
    this.#handler.onResponseData?.(...args)
  }

  onResponseEnd(...args: Parameters<Handler['onResponseEnd']>): void {
    this.#handler.onResponseEnd?.(...args)
  }

  onResponseError(...args: Parameters<Handler['onResponseError']>): void {
    if (this.#isSecond) this.#handler.onResponseError?.(...args)
    else if (this.#wasLost()) this.#way.sendAgain(this.#request, this.#handler)
    // undici may be about to give its client another request: the place is chosen after that.
    else if (this.#wasNeverSent()) queueMicrotask(() => this.#way.startOver(this.#request, this.#handler))
    else this.#handler.onResponseError?.(...args)
  }

  #wasLost(): boolean {
    if (this.#sent === null || !this.#way.isOpen()) return false
    const { controller, socket, bytesBefore } = this.#sent
    const hasDied = socket.destroyed && !controller.aborted
    return hasDied && bytesBefore > 0 && socket.bytesRead === bytesBefore
  }

  /** The connection failed after the request had been given to it and before it was written. */
  #wasNeverSent(): boolean {
    if (this.#sent !== null || !this.#way.isOpen()) return false
    const socket = this.#way.socket()
    return socket !== null && socket.errored !== null && socket.bytesRead > 0
  }
}
