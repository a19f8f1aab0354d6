import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { systemClock } from '../clock.ts'
import { startHttpServer, type HttpServer } from '../http-server.ts'
import type { Json } from '../model/json.ts'
import { createVerifier, type SignatureVerifier } from './signature-verifier.ts'

const LARGEST_BODY_BYTES = 1024 * 1024

export interface ReceiverOptions {
  /** 0: any free one. */
  readonly port: number
  /** `whsec_…` or `whpk_…`; null: signatures are not looked at. */
  readonly secret: string | null
  /** Statuses to answer, one per delivery with a good signature; the last one repeats. Empty: 200. */
  readonly respond: readonly number[]
  readonly onDelivery: (delivery: ReceivedDelivery) => void
}

export interface ReceivedDelivery {
  readonly signature: 'verified' | 'unverified' | 'wrong'
  /** The body as it came, and parsed; null where it is not JSON. */
  readonly body: string
  readonly payload: Json
  /** What was answered. */
  readonly status: number
}

/**
 * A webhook receiver on 127.0.0.1: any path takes a POST. Answers by script, 401 where the signature is wrong, 400 to what
 * is not JSON, 413 above 1 MiB. Throws `port_in_use` where it cannot listen.
 */
export async function startReceiver(options: ReceiverOptions): Promise<HttpServer> {
  const app = receiverApp(options)
  return startHttpServer({
    host: '127.0.0.1',
    port: options.port,
    purpose: 'The receiver',
    remedy: 'choose another port with --port',
    fetch: async (request) => app.fetch(request),
  })
}

function receiverApp({ secret, respond, onDelivery }: ReceiverOptions): Hono {
  const app = new Hono()
  const verifier = secret === null ? null : createVerifier(secret, () => systemClock.now())
  let answered = 0
  app.use(bodyLimit({ maxSize: LARGEST_BODY_BYTES }))
  app.post('*', async (context) => {
    const body = await context.req.text()
    const payload = parsed(body)
    const signature = judgeSignature(verifier, body, context.req.header())
    if (signature === 'wrong') return answer({ signature, body, payload, status: 401 })
    if (payload === null) return answer({ signature, body, payload, status: 400 })
    const status = respond[Math.min(answered, respond.length - 1)] ?? 200
    answered += 1
    return answer({ signature, body, payload, status })
  })
  app.all('*', (context) => context.text('Shipbell listens here for POST requests.\n', 405, { Allow: 'POST' }))
  return app

  function answer(delivery: ReceivedDelivery): Response {
    onDelivery(delivery)
    return new Response(null, { status: delivery.status })
  }
}

function judgeSignature(
  verifier: SignatureVerifier | null,
  body: string,
  headers: Record<string, string>,
): ReceivedDelivery['signature'] {
  if (verifier === null) return 'unverified'
  return verifier(body, headers) ? 'verified' : 'wrong'
}

function parsed(body: string): Json {
  try {
    const value: Json = JSON.parse(body)
    return value
  } catch {
    return null
  }
}
