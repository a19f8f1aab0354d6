import { Pool } from 'undici'

/** The least that a poller can do: fetches the pages of `shipments` shipments one after the other and throws them away. */
export async function fetchAndDiscard(url: string, shipments: number): Promise<void> {
  const pool = new Pool(url, { connections: 1 })
  for (let skip = 0; skip <= shipments; skip += 100) {
    const { body } = await pool.request({ path: `/v1/shipments?skip=${skip}&take=100`, method: 'GET' })
    await body.dump({ limit: Number.MAX_SAFE_INTEGER })
  }
  await pool.close()
}
