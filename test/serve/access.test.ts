import { describe, expect, test } from 'vitest'
import { Desk, SECRETS, TOKEN, VIEWER, type Asking } from './desk.ts'

const ENABLE = '/api/v1/subscriptions/erp/enable'

function post(headers: Readonly<Record<string, string>>, token?: string): Asking {
  return { method: 'POST', headers, ...(token !== undefined && { token }) }
}

describe('with tokens', () => {
  test('programs show one as Bearer; a viewer may look and not act', async () => {
    const desk = await Desk.open()
    expect((await desk.ask('/api/v1/holds', { token: TOKEN })).status).toBe(200)
    expect((await desk.ask('/api/v1/holds', { token: VIEWER })).status).toBe(200)
    expect((await desk.ask(ENABLE, post({}, TOKEN))).status).toBe(200)
    expect((await desk.ask(ENABLE, post({}, VIEWER))).json).toMatchObject({ status: 403, title: 'Forbidden' })
    expect(desk.logged('admin.acted')).toMatchObject([
      { who: 'http.token', role: 'admin', action: 'enable', subscription: 'erp' },
    ])
  })

  test.each([
    ['none', {}],
    ['a wrong one', { authorization: 'Bearer nonsense' }],
    ['the beginning of it', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['an empty one', { authorization: 'Bearer ' }],
  ])('whoever shows %s gets nothing', async (_, headers) => {
    const desk = await Desk.open()
    for (const path of ['/api/v1/events', '/api/openapi.json', '/api/v1/nothing', '/', '/events', '/metrics']) {
      const answer = await desk.ask(path, { headers })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      expect(answer.headers['content-type']).toBe('application/problem+json')
    }
    expect((await desk.ask(ENABLE, post(headers))).status).toBe(401)
  })

  test('everyone learns whether it lives, and no more', async () => {
    const desk = await Desk.open()
    expect((await desk.ask('/healthz')).json).toEqual({ status: 'ok' })
    expect(Object.keys((await desk.ask('/readyz')).json ?? {})).toEqual(['status'])
    expect((await desk.ask('/readyz', { token: VIEWER })).json).toMatchObject({ store: { ok: true } })
    const posted = await desk.ask('/healthz', { method: 'POST' })
    expect(posted).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json' } })
  })

  test('a browser is led to sign in, and back to the page that it asked for', async () => {
    const desk = await Desk.open()
    const led = await desk.ask('/events?type=shipment.*', { headers: { accept: 'text/html' } })
    expect(led.status).toBe(303)
    expect(led.headers.location).toBe('/login?next=%2Fevents%3Ftype%3Dshipment.*')
    const form = await desk.ask(String(led.headers.location))
    expect(form.text).toMatch(/<label for="token">Token<\/label>/)
    expect(form.text).toContain('value="/events?type=shipment.*"')
    const body = new URLSearchParams({ token: TOKEN, next: '/events?type=shipment.*' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: desk.url }
    const back = await desk.ask('/login', { method: 'POST', headers, body })
    expect(back.headers.location).toBe('/events?type=shipment.*')
    expect(String(back.headers['set-cookie'])).toMatch(
      /^shipbell_\w+=[^;]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    )
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'events',
    '',
    '/..//evil.example',
    '/login?next=/x',
  ])('signing in never leads elsewhere: %j', async (next) => {
    const desk = await Desk.open()
    const body = new URLSearchParams({ token: TOKEN, next }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await desk.ask('/login', { method: 'POST', headers, body })
    expect([answer.status, answer.headers.location]).toEqual([303, '/'])
  })

  test('a cookie acts only from a page of this interface', async () => {
    const desk = await Desk.open()
    const cookie = await desk.signIn(TOKEN)
    const { host } = new URL(desk.url)
    const statuses = async (...all: readonly Readonly<Record<string, string>>[]): Promise<readonly number[]> =>
      await Promise.all(all.map(async (headers) => (await desk.ask(ENABLE, post({ cookie, ...headers }))).status))
    expect((await desk.ask('/api/v1/holds', { headers: { cookie } })).status).toBe(200)
    expect(
      await statuses({ 'sec-fetch-site': 'same-origin' }, { origin: desk.url }, { origin: `https://${host}` }),
    ).toEqual([200, 200, 200])
    expect(
      await statuses(
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'http://127.0.0.1:1' },
        { origin: `http://${host}.evil.example` },
        { referer: desk.url },
      ),
    ).toEqual([403, 403, 403, 403, 403, 403, 403, 403, 403])
  })

  test("a viewer's cookie looks and does not act", async () => {
    const desk = await Desk.open()
    const headers = { cookie: await desk.signIn(VIEWER), 'sec-fetch-site': 'same-origin' }
    expect((await desk.ask('/api/v1/holds', { headers })).status).toBe(200)
    expect((await desk.ask(ENABLE, post(headers))).status).toBe(403)
    expect((await desk.ask('/logout', post(headers))).status).toBe(303)
  })

  test('a session ends with its token, when it is signed out, and after a week', async () => {
    const desk = await Desk.open()
    const looks = async (cookie: string): Promise<number> =>
      (await desk.ask('/api/v1/holds', { headers: { cookie } })).status
    const [first, second] = [await desk.signIn(TOKEN), await desk.signIn(TOKEN)]
    const out = await desk.ask('/logout', post({ cookie: first, origin: desk.url }))
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0')
    expect([await looks(first), await looks(second)]).toEqual([401, 200])
    expect(await looks(`${second}x`)).toBe(401)
    await desk.reload(`token: another-token, viewer_token: ${VIEWER}`)
    expect(await looks(second)).toBe(401)
    expect((await desk.ask('/api/v1/holds', { token: TOKEN })).status).toBe(401)
    const third = await desk.signIn('another-token')
    desk.clock.jump(desk.clock.now() + 7 * 86_400_000 - 1)
    expect(await looks(third)).toBe(200)
    desk.clock.jump(desk.clock.now() + 1)
    expect(await looks(third)).toBe(401)
  })

  test('a session that was signed out stays so in the next process', async () => {
    const desk = await Desk.open()
    const [first, second] = [await desk.signIn(TOKEN), await desk.signIn(TOKEN)]
    await desk.ask('/logout', post({ cookie: first, origin: desk.url }))
    const next = await desk.restarted()
    const looks = async (cookie: string): Promise<number> =>
      (await next.ask('/api/v1/holds', { headers: { cookie } })).status
    expect([await looks(first), await looks(second)]).toEqual([401, 200])
  })

  test('the cookie is for https alone where people come by https', async () => {
    const desk = await Desk.open(`token: ${TOKEN}, public_url: https://shipbell.example`)
    const body = new URLSearchParams({ token: TOKEN }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await desk.ask('/login', { method: 'POST', headers, body })
    expect(String(answer.headers['set-cookie'])).toContain('; Secure')
  })

  test(
    'guessing is limited by the address of the connection, as Bearer and at /login together; a right token is never locked out',
    { tags: 'long' },
    async () => {
      const desk = await Desk.open()
      const bearer = async (token: string, path = '/api/v1/holds') => await desk.ask(path, { token })
      const login = async (token: string) => {
        const body = new URLSearchParams({ token }).toString()
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        return await desk.ask('/login', { method: 'POST', headers, body })
      }
      for (let guess = 0; guess < 9; guess += 1) {
        expect((await bearer(`guess-${guess}`)).status).toBe(401)
        expect((await login(`guess-${guess}`)).status).toBe(401)
      }
      // What everybody may ask for shows more to who has a token: guessing there counts.
      expect((await bearer('guess-x', '/readyz')).json).not.toHaveProperty('accounts')
      expect(desk.logged('admin.refused')).toEqual([])
      expect((await bearer('guess-y')).status).toBe(401)
      for (const refused of [await bearer('guess-z'), await login('guess-z')]) {
        expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
        expect(refused.text).toContain('Too many wrong tokens')
      }
      expect((await desk.ask('/api/v1/holds')).status).toBe(401)
      expect((await bearer('guess-z', '/healthz')).status).toBe(200)
      expect([(await bearer(TOKEN)).status, (await bearer(VIEWER)).status, (await login(TOKEN)).status]).toEqual([
        200, 200, 303,
      ])
      expect(desk.logged('admin.refused')).toMatchObject([{ peer: '127.0.0.1', wrong_tokens: 20, seconds: 60 }])
      await desk.clock.advance(60_000)
      expect((await bearer('guess-z')).status).toBe(401)
      expect(desk.log).not.toContain('guess-')
    },
  )

  test('wrong tokens that come slowly are only wrong', { tags: 'long' }, async () => {
    const desk = await Desk.open()
    for (let guess = 0; guess < 40; guess += 1) {
      expect((await desk.ask('/api/v1/holds', { token: `guess-${guess}` })).status).toBe(401)
      await desk.clock.advance(3_200)
    }
    expect(desk.logged('admin.refused')).toEqual([])
  })

  test('a page elsewhere signs nobody in', async () => {
    const desk = await Desk.open()
    const body = new URLSearchParams({ token: TOKEN }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }
    expect((await desk.ask('/login', { method: 'POST', headers, body })).status).toBe(403)
  })

  test('it answers under any name, and by whoever shows a token', async () => {
    const desk = await Desk.open()
    const answer = await desk.ask('/api/v1/holds', { token: TOKEN, headers: { host: 'desk.example' } })
    expect(answer.status).toBe(200)
  })
})

describe('without a token', () => {
  test('whoever is on this machine may look and not act', async () => {
    const desk = await Desk.open('token: "${NONE:-}"')
    expect((await desk.ask('/api/v1/holds')).status).toBe(200)
    expect((await desk.ask(ENABLE, post({ origin: desk.url }))).json).toMatchObject({ status: 403 })
    expect(desk.logged('admin.acted')).toEqual([])
  })

  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('it answers as %s', async (name) => {
    const desk = await Desk.open('token: "${NONE:-}"')
    const { port } = new URL(desk.url)
    for (const host of [name, `${name}:${port}`])
      expect((await desk.ask('/api/v1/holds', { headers: { host } })).status).toBe(200)
  })

  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '10.0.0.1'])(
    'a page that reaches it as %s learns nothing (DNS rebinding)',
    async (host) => {
      const desk = await Desk.open('token: "${NONE:-}"')
      for (const path of ['/', '/healthz', '/readyz', '/login', '/api/v1/holds', '/assets/desk.css']) {
        const answer = await desk.ask(path, { headers: { host } })
        expect([path, answer.status]).toEqual([path, 403])
      }
    },
  )
})

test.each([`viewer_token: ${VIEWER}`, `tokens: { acme: { token: ${VIEWER}, accounts: [acme] } }`])(
  'behind a proxy, under a name of its own, whoever shows a token is answered: %s',
  async (http) => {
    const desk = await Desk.open(http)
    const headers = { host: 'shipbell.example' }
    expect((await desk.ask('/api/v1/holds', { token: VIEWER, headers })).status).toBe(200)
    expect((await desk.ask('/api/v1/holds', { headers })).status).toBe(401)
    expect((await desk.ask('/login', { headers })).status).toBe(200)
  },
)

test('every answer says what browsers must not do with it, and holds no secret', async () => {
  const desk = await Desk.open()
  const headers = { accept: 'text/html', cookie: await desk.signIn(TOKEN) }
  for (const path of [
    '/',
    '/login',
    '/healthz',
    '/api/v1/status',
    '/api/openapi.json',
    '/nothing',
    '/api/v1/nothing',
  ]) {
    const answer = await desk.ask(path, { headers })
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['cache-control']).toBe('no-store')
    for (const secret of SECRETS) expect(answer.text).not.toContain(secret)
  }
  for (const secret of SECRETS) expect(desk.log).not.toContain(secret)
})
