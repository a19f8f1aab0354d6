import { describe, expect, it } from 'vitest'
import { subscriptionsPreviewCommand } from '../../src/cli/subscriptions-preview.ts'
import { checkCommand } from '../../src/cli/check.ts'
import { scratchFolder } from '../config/scratch.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { putEmptyStore } from '../support/empty-store.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { runCommand } from './run-command.ts'

const ID = 'SHP/1|<b>&"\' é\u202e'

function configuration({
  link = 'https://platform.example/#/s/{id}?of={id}',
  publicUrl = 'https://bell.example/',
} = {}) {
  return `accounts:
  acme:
    base_url: http://127.0.0.1:1
    api_key: k
    link: { shipment: '${link}' }
subscriptions:
  slack: { slack: { url: "https://hooks.example/x" }, events: ["*"] }
  mail: { email: { to: [a@example.com], from: b@example.com }, events: ["*"] }
smtp: smtp://127.0.0.1:1
http: { public_url: "${publicUrl}" }
`
}

async function previewOf(name: string, text: string): Promise<string> {
  const cwd = scratchFolder({ 'shipbell.yaml': text })
  {
    const path = `${cwd}/shipbell.db`
    putEmptyStore(path)
    await using store = openStore({ path, readonly: false })
    const subject = { resource: 'shipment', id: ID, version: 1, previousEventId: null } as const
    await ring(store, [sampleEvent('evt_1', { subject })], [])
  }
  const args = [name, '--event', 'evt_1', '--json']
  const { exitCode, stdout, stderr } = await runCommand(subscriptionsPreviewCommand, args, { cwd })
  expect([exitCode, stderr]).toEqual([0, ''])
  const [{ body }] = JSON.parse(stdout)
  return JSON.stringify(body, null, 2)
}

const ENCODED = encodeURIComponent(ID)
const PAGE = `https://bell.example/records/shipment/acme/${ENCODED}#since=1`
const RECORD = `https://platform.example/#/s/${ENCODED}?of=${ENCODED}`

describe('messages link to more', () => {
  it('in Slack', async () => {
    const body = await previewOf('slack', configuration())
    expect(body).toContain(`<${PAGE}|Open in Shipbell>`)
    expect(body).toContain(`<${RECORD}|Open at the platform>`)
  })

  it('in mail, in both of its parts', async () => {
    const { html: styled, text } = JSON.parse(await previewOf('mail', configuration()))
    const html = String(styled).replaceAll(/ style="[^"]*"/g, '')
    expect(text).toContain(`Open in Shipbell: ${PAGE}\n`)
    expect(text).toContain(`Open at the platform: ${RECORD}\n`)
    expect(html).toContain(`<a href="${PAGE.replaceAll("'", '&#39;')}">Open in Shipbell</a>`)
    expect(html).toContain(`<a href="${RECORD.replaceAll("'", '&#39;')}">Open at the platform</a>`)
  })

  it('only where it is configured where to', async () => {
    const text = configuration()
      .replace(/ +link:.*\n/, '')
      .replace(/http: .*\n/, '')
    for (const name of ['slack', 'mail']) expect(await previewOf(name, text)).not.toContain('Open ')
  })

  it.each([
    'javascript:alert({id})',
    'https://{id}.example/',
    'https://platform.example/',
    'https://user:pass@platform.example/{id}',
    'platform.example/{id}',
  ])('and refuse the address %s', async (link) => {
    const cwd = scratchFolder({ 'shipbell.yaml': configuration({ link }) })
    const { exitCode, stdout } = await runCommand(checkCommand, [], { cwd })
    expect(exitCode).toBe(2)
    expect(stdout).toContain('`shipment` must be a URL with {id} in its path')
  })

  it.each(['https://platform.example/{id}/{name}', 'https://platform.example/{id}/{{id}}'])(
    'and refuse the unknown placeholder in %s',
    async (link) => {
      const cwd = scratchFolder({ 'shipbell.yaml': configuration({ link }) })
      const { exitCode, stdout } = await runCommand(checkCommand, [], { cwd })
      expect(exitCode).toBe(2)
      expect(stdout).toContain('which stands for nothing: {id} alone is replaced')
    },
  )

  it("in the subscription's language, for events of tracking to the shipment", async () => {
    const text = configuration().replace('slack: { slack:', 'slack: { language: de, slack:')
    const cwd = scratchFolder({ 'shipbell.yaml': text })
    const args = ['slack', '--type', 'tracking.event_added', '--json']
    const { stdout } = await runCommand(subscriptionsPreviewCommand, args, { cwd })
    expect(stdout).toContain('https://platform.example/#/s/SHP-1?of=SHP-1|Auf der Plattform öffnen')
  })
})
