import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readBeside } from '../../src/app/config-thread/config-thread.ts'
import { requireLoaded } from '../../src/config/load-config.ts'
import { payload } from '../route/samples.ts'
import { Workplace } from '../support/shipbell.ts'

const AMOUNT = 400
const SECRET = `whsec_${Buffer.from('a secret that is 32 bytes long!!').toString('base64')}`

/** So many customers, each with an account and a filtered subscription, in one included file. */
function write(folder: string, amount: number, timeout: string): void {
  const numbers = Array.from({ length: amount }, (_, n) => n)
  const accounts = numbers.map((n) => `  acme-${n}: { api_key: key-of-customer-${n}, timeout: ${timeout} }`)
  const subscriptions = numbers.map((n) => `  erp-${n}: { url: https://erp.example/${n}, accounts: [acme-${n}] }`)
  mkdirSync(path.join(folder, 'conf.d'), { recursive: true })
  writeFileSync(
    path.join(folder, 'conf.d/all.yaml'),
    ['accounts:', ...accounts, 'subscriptions:', ...subscriptions].join('\n'),
  )
  writeFileSync(
    path.join(folder, 'shipbell.yaml'),
    `include: [conf.d/*.yaml]
defaults:
  account: { base_url: https://platform.example, watch: { shipments: {} } }
  subscription: { events: [shipment.*], secret: ${SECRET}, where: 'data.shipment.freight_mode == "ocean"' }
`,
  )
}

async function readAgain(folder: string, before: ReturnType<typeof requireLoaded>) {
  const files = { file: 'shipbell.yaml', cwd: folder, env: {}, known: before.sources }
  let turns = 0
  const read = await readBeside(files, before.config, async () => void (turns += 1))
  return { ...read, turns }
}

test('a large configuration is read beside everything else, and what did not change stays the same object', async () => {
  using work = new Workplace()
  write(work.folder, AMOUNT, '30s')
  const before = requireLoaded('shipbell.yaml', { cwd: work.folder, env: {} })
  const same = await readAgain(work.folder, before)
  expect(same.turns).toBe(2 * AMOUNT)
  expect(same.config?.accounts.every((each, n) => each === before.config.accounts[n])).toBe(true)
  expect(same.config?.subscriptions.every((each, n) => each === before.config.subscriptions[n])).toBe(true)
  write(work.folder, AMOUNT + 1, '31s')
  const after = await readAgain(work.folder, before)
  expect(after.digest).not.toBe(same.digest)
  expect(after.config?.accounts.map(({ timeoutMs }) => timeoutMs)).toEqual(Array(AMOUNT + 1).fill(31_000))
  expect(after.config?.subscriptions[0]).toBe(before.config.subscriptions[0])
  const { filter } = after.config?.subscriptions[AMOUNT] ?? {}
  const verdict = filter?.judge(payload({ shipment: { freight_mode: 'ocean' } }))
  expect(verdict).toEqual({ kind: 'match' })
})

test('what is wrong with a large configuration is said with its place', async () => {
  using work = new Workplace()
  write(work.folder, AMOUNT, '30s')
  const before = requireLoaded('shipbell.yaml', { cwd: work.folder, env: {} })
  write(work.folder, AMOUNT, '30 parsecs')
  const read = await readAgain(work.folder, before)
  expect(read.config).toBeNull()
  expect(read.problems[0]).toMatch(/^conf\.d\/all\.yaml:2:\d+: /)
})
