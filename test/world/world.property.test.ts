import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { runs } from '../support/runs.ts'
import { StoreFile } from '../support/store-file.ts'
import { LIFE, NOTHING } from './lives.ts'
import { WirePlatform } from './wire-platform.ts'
import { WorldServer } from './world-server.ts'
import { WorldRun } from './world-run.ts'

describe('a world and its oracle (guarantees D1 to D11 and E1 to E7)', () => {
  let lives = 0
  let file: StoreFile | null = null
  afterAll(async () => file?.[Symbol.asyncDispose]())

  /** A few lives share a file: opening a new one costs as much as living. */
  async function storeOf(life: number): Promise<StoreFile> {
    if (file !== null && life % 20 !== 0) return file
    await file?.[Symbol.asyncDispose]()
    file = new StoreFile()
    return file
  }

  test('what a read could see rings exactly once, and nothing else rings', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(LIFE, async ({ rounds, ...life }) => {
        lives += 1
        const file = await storeOf(lives)
        await using run = new WorldRun({
          ...life,
          account: `world-${lives}`,
          fewest: 4,
          open: async (again) => (again ? file.reopen() : file.store),
        })
        for (const round of rounds) expect(await run.round(round)).toEqual(NOTHING)
        for (const findings of await run.settle()) expect(findings).toEqual(NOTHING)
      }),
      { ...runs(14), seed: 1 },
    )
  })

  test('also through the real client and the sandbox, with the wire between them', { timeout: 600_000 }, async () => {
    await using server = await WorldServer.start()
    await using file = new StoreFile()
    await fc.assert(
      fc.asyncProperty(LIFE, async ({ rounds, ...life }) => {
        lives += 1
        await using run = new WorldRun({
          ...life,
          account: `wire-${lives}`,
          fewest: 4,
          open: async (again) => (again ? file.reopen() : file.store),
          connect: (options) => new WirePlatform(server, options),
        })
        for (const round of rounds) expect(await run.round(round)).toEqual(NOTHING)
        for (const findings of await run.settle()) expect(findings).toEqual(NOTHING)
      }),
      { ...runs(2), seed: 2 },
    )
  })
})
