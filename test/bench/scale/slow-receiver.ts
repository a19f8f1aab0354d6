import { createServer } from 'node:http'

/** A receiver in a process of its own that takes its time for each answer, and says how many it has given. */
const [delayMs = 0] = process.argv.slice(2).map(Number)
let answered = 0

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () =>
    setTimeout(() => {
      answered += 1
      response.writeHead(204).end()
    }, delayMs),
  )
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', () => process.send?.(answered))
process.on('disconnect', () => process.exit())
