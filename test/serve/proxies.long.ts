import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../config/scratch.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { freePort } from '../support/free-port.ts'
import { Desk, TOKEN } from './desk.ts'

const NGINX = '/usr/sbin/nginx'

test.skipIf(!existsSync(NGINX))(
  'nginx passes every event on as it comes, and whoever signs in through it acts',
  async () => {
    const desk = await Desk.open()
    const url = await nginxBefore(desk)
    const curl = spawn('curl', ['-sN', '-H', `Authorization: Bearer ${TOKEN}`, `${url}/api/v1/stream`])
    onTestFinished(() => void curl.kill())
    let text = ''
    curl.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    await expect.poll(() => text, { timeout: 5_000 }).toContain('retry: 3000')
    await ring(desk.store, [sampleEvent('evt_1')], [])
    await expect.poll(async () => desk.clock.advance(500).then(() => text), { timeout: 5_000 }).toContain('evt_1')

    const jar = `${scratchFolder()}/jar`
    const signIn = await curled(
      '-c',
      jar,
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-d',
      `token=${TOKEN}`,
      `${url}/login`,
    )
    expect(signIn).toBe('303')
    const act = [`${url}/api/v1/subscriptions/erp/enable`, '-b', jar, '-X', 'POST', '-w', ' %{http_code}']
    expect(await desk.during(curled(...act, '-H', `Origin: ${url}`))).toBe('{"subscription":"erp","released":0} 200')
    expect(await curled(...act, '-H', 'Origin: https://evil.example')).toMatch(/ 403$/)
  },
)

async function curled(...args: readonly string[]): Promise<string> {
  const curl = spawn('curl', ['-s', ...args])
  let text = ''
  curl.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(curl, 'close')
  return text
}

/** With nothing said about buffering, which nginx does by itself. */
async function nginxBefore(desk: Desk): Promise<string> {
  const port = await freePort()
  const folder = scratchFolder()
  const configuration = `daemon off; pid ${folder}/pid; error_log stderr; events {}
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${desk.url}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; }
  }
}`
  const files = scratchFolder({ 'nginx.conf': configuration })
  const nginx = spawn(NGINX, ['-c', `${files}/nginx.conf`, '-p', folder], { stdio: 'ignore' })
  onTestFinished(async () => await ended(nginx))
  const url = `http://127.0.0.1:${port}`
  const answers = async (): Promise<number> => (await fetch(`${url}/healthz`)).status
  await expect.poll(async () => await answers().catch(() => 0), { timeout: 5_000 }).toBe(200)
  return url
}

async function ended(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit')
  child.kill('SIGTERM')
  await end
}
