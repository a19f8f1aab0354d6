import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

/** A receiver that answers with `status` and `body`, and notes the ids, payloads and signatures of what it gets. */
export async function countingReceiver(status: number, body = '') {
  const received: string[] = []
  const payloads: { readonly [key: string]: unknown }[] = []
  const signed: { readonly text: string; readonly at: number; readonly signature: unknown }[] = []
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      payloads.push(JSON.parse(text))
      const at = Number(request.headers['webhook-timestamp']) * 1_000
      signed.push({ text, at, signature: request.headers['webhook-signature'] })
      response.writeHead(status).end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return { received, payloads, signed, port: typeof address === 'object' ? (address?.port ?? 0) : 0 }
}
