import { startHttpServer, type HttpServer } from '../../src/http-server.ts'
import { textField, type Json } from '../../src/model/json.ts'

/** A subscriber on loopback that takes what comes: signatures are judged elsewhere. */
export class Receiver implements AsyncDisposable {
  /** Types of the events that were taken, in the order in which they came. */
  readonly taken: (string | null)[] = []
  asked = 0
  /** Watermarks that came, with their headers. */
  readonly watermarks: { readonly headers: Headers; readonly body: string }[] = []
  status = 200
  #server: HttpServer | null = null

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    const fetch = async (request: Request): Promise<Response> => await receiver.#take(request)
    receiver.#server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The receiver', remedy: '', fetch })
    return receiver
  }

  get url(): string {
    return this.#server?.url ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
  }

  async #take(request: Request): Promise<Response> {
    const body = await request.text()
    const payload: Json = JSON.parse(body)
    if (textField(payload, 'type') === 'shipbell.watermark') {
      this.watermarks.push({ headers: request.headers, body })
      return new Response(null, { status: 500 })
    }
    this.asked += 1
    if (this.status === 200) this.taken.push(textField(payload, 'type'))
    return new Response(null, { status: this.status })
  }
}
