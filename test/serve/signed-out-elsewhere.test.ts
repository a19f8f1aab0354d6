import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../src/log.ts'
import { AccessControl } from '../../src/serve/access/access-control.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { scratchFolder } from '../config/scratch.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { FakeClock } from '../support/fake-clock.ts'

const TOKEN = 'a-token-of-some-length'
const INSECURE = { secure: false }

test('what was signed out at one worker is signed out at the others a second later', async () => {
  const file = path.join(scratchFolder({}), 'shipbell.db')
  putEmptyStore(file)
  const store = openStore({ path: file, readonly: false })
  onTestFinished(async () => store[Symbol.asyncDispose]())
  const clock = new FakeClock()
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  let isAway = false
  const sessions = {
    endSession: async (...ended: Parameters<typeof store.endSession>) => await store.endSession(...ended),
    endedSessions: async (now: number) => {
      if (isAway) throw new Error('away')
      return await store.endedSessions(now)
    },
  }
  const context = {
    access: () => ({ token: TOKEN, viewerToken: null, tokens: [], publicUrl: null }),
    clock,
    log,
    sessions,
  }
  const [here, there] = [new AccessControl(context, []), new AccessControl(context, [])]
  const signedIn = here.signIn(TOKEN, new Request('http://127.0.0.1/login'), INSECURE)
  const cookie = signedIn.kind === 'signed_in' ? signedIn.cookies[0]?.split(';')[0] : undefined
  const request = new Request('http://127.0.0.1/', { headers: { cookie: cookie ?? '' } })
  expect(await there.recogniseAnew(request)).toMatchObject({ by: 'cookie' })
  await here.signOut(request, INSECURE)
  expect(await here.recogniseAnew(request)).toBeNull()
  isAway = true
  await clock.advance(1_000)
  expect(await there.recogniseAnew(request)).toMatchObject({ by: 'cookie' })
  isAway = false
  await clock.advance(1_000)
  expect(await there.recogniseAnew(request)).toBeNull()
  expect(there.recognise(request)).toBeNull()
})
