import { Pool } from 'undici'

/** The least that a pass can be, in a process of its own: GETs the pages of a list, four at once, and throws them away. */

const PAGE = 100
const AT_ONCE = 4
const [url = '', shipments = '0'] = process.argv.slice(2)
const pool = new Pool(url, { connections: AT_ONCE })

async function pass(): Promise<void> {
  let next = 0
  const reader = async (): Promise<void> => {
    while (next <= Number(shipments)) {
      const skip = next
      next += PAGE
      const { body } = await pool.request({ path: `/v1/shipments?skip=${skip}&take=${PAGE}`, method: 'GET' })
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, reader))
}

process.on('message', () => {
  void pass().then(() => process.send?.('done'))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
