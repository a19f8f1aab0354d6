import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { issueCertificate } from '../../support/certificate.ts'

/** The other side of the bench: what it answers is the last on its connection. Tells its ports and its authority. */
export interface PeerAddress {
  readonly http: number
  readonly https: number
  readonly smtp: number
  /** Nobody listens there. */
  readonly nobody: number
  readonly authority: string
}

const AUTHORITY = issueCertificate({ name: 'An authority', authority: true })
const { cert, key } = issueCertificate({ name: 'peer', hosts: ['127.0.0.1'], issuer: AUTHORITY })

const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { connection: 'close', 'content-type': 'application/json' }).end('[]')
  })
}

/** As much of a mail server as reads a mail; it takes none, and hangs up. */
function turnAway(socket: Socket): void {
  let mail: string | null = null
  socket.on('error', () => undefined)
  socket.write('220 peer ESMTP\r\n')
  socket.on('data', (chunk) => {
    const said = chunk.toString('latin1')
    if (mail === null) {
      if (said.startsWith('DATA')) mail = ''
      socket.write(mail === null ? '250 peer\r\n' : '354 go ahead\r\n')
      return
    }
    mail += said
    if (mail.endsWith('\r\n.\r\n')) socket.end('421 closing\r\n')
  })
}

async function portOf(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const unheard = createServer()
const address: PeerAddress = {
  http: await portOf(createHttpServer(answer)),
  https: await portOf(createHttpsServer({ cert, key }, answer)),
  smtp: await portOf(createServer(turnAway)),
  nobody: await portOf(unheard),
  authority: AUTHORITY.cert,
}
unheard.close()
process.on('disconnect', () => process.exit())
process.send?.(address)
