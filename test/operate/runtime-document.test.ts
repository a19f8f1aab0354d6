import { expect, test } from 'vitest'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import type { RuntimeSubscription } from '../../src/model/runtime-subscription.ts'
import {
  nextEnd,
  opened,
  rotated,
  signing,
  stored,
  type RuntimeDocument,
} from '../../src/operate/runtime/runtime-document.ts'
import { runtimeActions } from '../../src/operate/runtime/runtime-actions.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { opensAll, RuntimeFollower } from '../../src/operate/runtime/runtime-follower.ts'
import { newSecret, seal, unseal } from '../../src/operate/runtime/sealing.ts'
import { scratchFolder } from '../config/scratch.ts'
import { FakeClock } from '../support/fake-clock.ts'

const T = Date.UTC(2026, 10, 21, 8)
const DAY = 86_400_000
const key = Buffer.alloc(32, 7).toString('base64')
const other = Buffer.alloc(32, 8).toString('base64')
const BY = { key, name: 'cust' }
const KEYS = { url: 'https://hooks.example/in', events: ['shipment.*'], headers: { 'x-key': 'hidden' } }

function row(document: RuntimeDocument, changes: Partial<RuntimeSubscription> = {}): RuntimeSubscription {
  const times = { madeAt: T, renewedAt: T, addressedAt: T, verifiedAt: T, endedAt: null, revision: 1 }
  const enabled = { disabledBy: null, disabledReason: null, disabledAt: null }
  return { name: 'cust', owner: null, ...times, ...enabled, ...stored(document, BY), ...changes }
}

test('what is sealed opens with its key, under its name, unchanged', () => {
  const sealed = seal('wh\u0000säc', BY)
  expect(unseal(sealed, BY)).toBe('wh\u0000säc')
  expect(seal('wh', BY)).not.toBe(seal('wh', BY))
  const [version, bytes = ''] = sealed.split('.')
  const turned = Buffer.from(bytes, 'base64')
  turned[20] = (turned[20] ?? 0) ^ 1
  const wrong = [`${version}.${turned.toString('base64')}`, sealed.slice(0, 12), '', `2.${bytes}`]
  expect(wrong.map((each) => unseal(each, BY))).toEqual([null, null, null, null])
  expect([unseal(sealed, { ...BY, key: other }), unseal(sealed, { ...BY, name: 'other' })]).toEqual([null, null])
})

test('address, headers and secrets are encrypted, and the rest is in clear', () => {
  const document = { keys: KEYS, secrets: [{ secret: newSecret(), until: null }] }
  const kept = stored(document, BY)
  expect([JSON.parse(kept.settings), kept.ordered]).toEqual([{ events: ['shipment.*'] }, 0])
  expect(opened(row(document), key)).toEqual(document)
  const settings = { key, most: 1, ttlMs: 0, allow: { events: [], accounts: null, hosts: null, networks: [] } }
  expect([opensAll(settings, [row(document)]), opensAll({ ...settings, key: other }, [row(document)])]).toEqual([
    true,
    false,
  ])
  expect(opensAll({ ...settings, key: other }, [row(document, { endedAt: T, sealed: '' })])).toBe(true)
})

test('an old secret signs for a day beside the newest, and no more than ten do', () => {
  const first = { keys: KEYS, secrets: [{ secret: 'one', until: null }] }
  const second = rotated(first, 'two', T)
  expect(second?.secrets).toEqual([
    { secret: 'two', until: null },
    { secret: 'one', until: T + DAY },
  ])
  const third = second && rotated(second, 'three', T + DAY - 1)
  expect(third && signing(third.secrets, T + DAY - 1).map(({ secret }) => secret)).toEqual(['three', 'two', 'one'])
  expect(third && signing(third.secrets, T + DAY).map(({ secret }) => secret)).toEqual(['three', 'two'])
  expect(third && nextEnd(third.secrets, T)).toBe(T + DAY)
  let many: RuntimeDocument | null = first
  for (let nth = 0; nth < 9; nth += 1) many = many && rotated(many, `s${nth}`, T)
  expect(many?.secrets).toHaveLength(10)
  expect(many && rotated(many, 'more', T)).toBeNull()
  expect(many && rotated(many, 'more', T + DAY)?.secrets).toHaveLength(2)
})

test('once an old secret has ended, it signs no more, though nothing was changed', async () => {
  const text = `accounts: {}\nruntime_subscriptions: { key: ${key} }\n`
  const live = new LiveConfig(requireConfig('a.yaml', { cwd: scratchFolder({ 'a.yaml': text }), env: {} }))
  const clock = new FakeClock(T)
  const [old, now] = [newSecret(), newSecret()]
  const subscriptions = [
    row({
      keys: KEYS,
      secrets: [
        { secret: now, until: null },
        { secret: old, until: T + DAY },
      ],
    }),
  ]
  const survey = { revision: 1, subscriptions }
  const store = {
    runtimeSurvey: async (since?: number) => (since === 1 ? null : survey),
    changeRuntime: async () => null,
  }
  let changes = 0
  const follower = new RuntimeFollower({ live, store, clock, changed: () => (changes += 1) })
  const secrets = async (): Promise<unknown> => {
    await follower.look()
    return live.config.subscriptions.map(({ channel }) => 'secrets' in channel && channel.secrets)
  }
  expect([await secrets(), await secrets(), changes]).toEqual([[[now, old]], [[now, old]], 1])
  await clock.advance(DAY)
  expect([await secrets(), changes]).toEqual([[[now]], 2])
  expect(live.file.subscriptions).toEqual([])
})

test('an owner sees its own alone, and its name is kept from others', async () => {
  const text = `accounts:
  acme: { base_url: 'https://platform.example', api_key: k, watch: { shipments: {} } }
  other: { base_url: 'https://platform.example', api_key: k, watch: { shipments: {} } }
subscriptions:
  erp: { url: 'https://erp.example/', secret: '${newSecret()}', events: ['*'] }
runtime_subscriptions: { key: ${key} }
`
  const folder = scratchFolder({ 'a.yaml': text })
  const live = new LiveConfig(requireConfig('a.yaml', { cwd: folder, env: {} }))
  await using store = openStore({ path: `${folder}/shipbell.db` })
  const clock = new FakeClock(T)
  const follower = new RuntimeFollower({ live, store, clock, changed: () => undefined })
  const parts = { live, store, clock, follower, signal: new AbortController().signal }
  const [mine, theirs, full] = [
    runtimeActions(parts, { owner: 'mine', accounts: ['acme'] }),
    runtimeActions(parts, { owner: 'theirs', accounts: ['other'] }),
    runtimeActions(parts, { owner: null, accounts: null }),
  ]
  expect(await mine.subscribe({ name: 'cust', ...KEYS })).toMatchObject({ name: 'cust' })
  expect(await mine.subscribe({ name: 'more', ...KEYS, accounts: ['other'] })).toHaveProperty('problems')
  await expect(theirs.alter('cust', {})).rejects.toMatchObject({ code: 'not_found' })
  await expect(theirs.unsubscribe('cust')).rejects.toMatchObject({ code: 'not_found' })
  await expect(theirs.rotateSecret('erp')).rejects.toMatchObject({ code: 'not_found' })
  await expect(full.rotateSecret('erp')).rejects.toMatchObject({ code: 'wrong_state' })
  expect(await full.rotateSecret('cust')).toMatch(/^whsec_/)
  expect((await store.endpoints()).map(({ runtime }) => runtime?.owner)).toEqual(['mine'])
  await mine.unsubscribe('cust')
  expect(await theirs.subscribe({ name: 'cust', ...KEYS })).toMatchObject({ name: 'cust' })
})
