import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { runCommand } from './run-command.ts'

const YAML = `accounts:
  acme: { base_url: "https://p.example", api_key: key }
subscriptions:
  erp: { url: "https://erp.example/hooks", secret: ${SECRET}, events: ["shipment.*"], payload: thin, format: cloudevents }
  bus: { url: "https://bus.example/", secret: ${SECRET}, events: ["shipment.*"], format: cloudevents-binary, source: /ring }
  ops:
    slack: { url: "https://hooks.slack.example/T/B/x" }
    events: [shipment.eta_changed, invoice.overdue]
    template: { shipment.eta_changed: ops.liquid }
  finance: { email: { to: [ap@example.com], from: shipbell@example.com }, events: [invoice.due, invoice.overdue] }
  hostile:
    email: { to: [ap@example.com], from: shipbell@example.com }
    events: [invoice.due, invoice.overdue]
    template: { invoice.due: hostile.liquid }
  daily:
    email: { to: [ap@example.com], from: shipbell@example.com }
    digest: { at: "08:00" }
    events: [invoice.due, invoice.overdue]
  hub: { svix: { token: t, server: "https://svix.example", app: a }, events: [document.added] }
smtp: smtps://mail.example
http: false
`

const TEMPLATE = `ETA of {{ it }}
{% assign dates = data.changes | where: "path", "/eta" %}now {{ data.date_change.to | moment }}{{ dates | join }}`

const HOSTILE = `"></iframe><script>alert(1)</script> &amp;`

function preview(template = TEMPLATE) {
  const cwd = scratchFolder({ 'shipbell.yaml': YAML, 'ops.liquid': template, 'hostile.liquid': HOSTILE })
  const run = async (...args: readonly string[]) =>
    await runCommand(subscriptionsCommand, ['preview', ...args], { cwd })
  return { cwd, run }
}

describe('shipbell subscriptions preview', () => {
  it('shows what would be sent of every type that is heard, by the templates too', async () => {
    const { exitCode, stdout, stderr } = await preview().run('ops')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toContain('shipment.eta_changed\n')
    expect(stdout).toContain('ETA of Spring collection (SHP-1)\n')
    expect(stdout).toContain('now Tue 15 Dec 2026, 10:00 UTC\n')
    expect(stdout).toContain('invoice.overdue\n')
    expect(stdout).toContain('is 1 day overdue: it was due on Tue 1 Dec 2026.')
    expect(stdout).not.toContain('The page')
  })

  it('shows one type with --type, a test among them', async () => {
    const { run } = preview()
    const { stdout } = await run('ops', '--type', 'invoice.overdue')
    expect(stdout).toContain('is 1 day overdue')
    expect(stdout).not.toContain('shipment.eta_changed')
    expect((await run('ops', '--type', 'shipbell.test')).stdout).toContain('A test of the endpoint of erp.')
  })

  it('shows the body of a webhook in its shape, and as one document with --json', async () => {
    const { run } = preview()
    const { stdout } = await run('erp', '--type', 'shipment.eta_changed')
    expect(stdout).toContain('"specversion": "1.0"')
    const [only, ...others] = JSON.parse((await run('erp', '--type', 'shipment.eta_changed', '--json')).stdout)
    expect(others).toEqual([])
    expect(only).toMatchObject({ types: ['shipment.eta_changed'], body: { type: 'shipbell.shipment.eta_changed' } })
    expect(only.body.data).not.toHaveProperty('object')
    expect(JSON.parse((await run('hub', '--json')).stdout)).toMatchObject([{ types: ['document.added'] }])
  })

  it('shows the headers of a CloudEvent in binary mode, and its data as the body', async () => {
    const { run } = preview()
    const { stdout } = await run('bus', '--type', 'shipment.eta_changed')
    expect(stdout).toContain('ce-type: shipbell.shipment.eta_changed\n')
    expect(stdout).toContain('ce-source: /ring/acme\n')
    const [only] = JSON.parse((await run('bus', '--type', 'shipment.eta_changed', '--json')).stdout)
    expect(only.body).toMatchObject({ object: {}, date_change: {} })
  })

  it('writes the page of a mail, each event in a frame, where --html says or to a temporary file', async () => {
    const { cwd, run } = preview()
    const { stdout } = await run('finance')
    const page = /\nThe page: (.*)\n$/.exec(stdout)?.[1] ?? ''
    onTestFinished(() => rmSync(path.dirname(page), { recursive: true }))
    expect(readFileSync(page, 'utf8').match(/<iframe sandbox="" /g)).toHaveLength(2)
    const named = await run('finance', '--type', 'invoice.due', '--html', 'mail.html')
    expect(named.stdout).toContain(`The page: ${path.join(cwd, 'mail.html')}`)
    const html = readFileSync(path.join(cwd, 'mail.html'), 'utf8')
    expect(html).toContain('2026-0042')
    expect(html).not.toContain('<iframe')
  })

  it('writes each mail whole into its frame, which it cannot leave', async () => {
    const { cwd, run } = preview()
    const written = async (...args: readonly string[]): Promise<string> => {
      await run('hostile', ...args, '--html', 'mail.html')
      return readFileSync(path.join(cwd, 'mail.html'), 'utf8')
    }
    const page = await written()
    const frames = [...page.matchAll(/<iframe sandbox="" srcdoc="([^"]*)"><\/iframe>\n/g)]
    const mails = frames.map(([, mail = '']) =>
      mail.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    )
    expect(mails).toEqual([await written('--type', 'invoice.due'), await written('--type', 'invoice.overdue')])
    expect(mails[0]).toContain('alert(1)')
    expect(frames.reduce((rest, [frame]) => rest.replace(frame, ''), page)).not.toMatch(/<iframe|alert/)
    expect(page).not.toContain('<script')
  })

  it('shows all events of a digest as one mail', async () => {
    const previews = JSON.parse((await preview().run('daily', '--json')).stdout)
    expect(previews).toMatchObject([{ types: ['invoice.due', 'invoice.overdue'] }])
  })

  it('shows an event of the log with --event', async () => {
    const { cwd, run } = preview()
    const event = sampleEvent('evt_9', { type: 'shipment.eta_changed' })
    {
      await using store = openStore({ path: path.join(cwd, 'shipbell.db') })
      await ring(store, [event], ['ops'])
    }
    const { exitCode, stdout } = await run('ops', '--event', event.id)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^shipment\.eta_changed\n {2}ETA of /)
    expect((await run('ops', '--event', 'evt_gone')).stderr).toMatch(/^There is no event "evt_gone"/)
  })

  it('says at run time which template gave way to the built-in message', async () => {
    const { cwd, run } = preview('{{ data.object.name | url_encode }}')
    const event = sampleEvent('evt_9', { type: 'shipment.eta_changed', object: { name: '\uD800' } })
    {
      await using store = openStore({ path: path.join(cwd, 'shipbell.db') })
      await ring(store, [event], ['ops'])
    }
    const { exitCode, stderr } = await run('ops', '--event', event.id)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^The built-in message stands in for a template: ops\.liquid:1:\d+: /)
  })

  it.each([
    [['nobody'], 2, /no subscription "nobody"/],
    [
      ['ops', '--type', 'invoice.overdu'],
      1,
      /^ops hears no event of type "invoice\.overdu": did you mean invoice\.overdue\?$/,
    ],
    [['ops', '--type', 'document.added'], 1, /^ops hears no event of type "document\.added"/],
    [['ops', '--type', 'invoice.overdue', '--event', 'evt_1'], 2, /exclude each other/],
    [['ops', '--html', 'x.html'], 2, /^--html is for mail/],
    [
      ['finance', '--html', 'no/such/folder.html'],
      2,
      /^The page cannot be written to .*folder\.html: name another file/,
    ],
  ] as const)('%j is refused with one sentence', async (args, code, sentence) => {
    const { cwd, run } = preview()
    const { exitCode, stderr, stdout } = await run(...args)
    expect([exitCode, stdout]).toEqual([code, ''])
    expect(stderr).toMatch(sentence)
    expect(existsSync(path.join(cwd, 'shipbell.db'))).toBe(false)
  })
})
