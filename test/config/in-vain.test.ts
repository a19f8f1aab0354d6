import { describe, expect, it } from 'vitest'
import { type AnyRules, CHANNEL_KINDS } from '../../src/config/channel-kinds.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { takesSnapshots } from '../../src/model/subscription.ts'
import { scratchFolder, SECRET, shown } from './scratch.ts'
import { readPage } from '../docs/pages.ts'

const ALL = 'shipments, tracking, invoices, documents, purchase_orders, locations'

/** What `check` says of a subscription: its `where` begins at column 12 of line 8. */
function warnings(events: string, where: string, watch = ALL): readonly string[] {
  const cwd = scratchFolder({
    'shipbell.yaml': `accounts:
  acme: { base_url: "https://p.example", api_key: "\${KEY}", watch: { ${watch.replaceAll(/\w+/g, '$&: {}')} } }
subscriptions:
  erp:
    url: https://e.example
    secret: ${SECRET}
    events: [${events}, "account.*"]
    where: ${where}
`,
  })
  const { config, problems } = loadConfig('shipbell.yaml', {
    env: { KEY: 'key', WHERE: 'data.shipment.secret_name == "hunter2"' },
    cwd,
  })
  expect(config).not.toBeNull()
  return problems.map(shown).filter((line) => !line.includes('everybody on this machine'))
}

describe('a `where` is warned of', () => {
  it.each([
    [
      'shipment.*',
      'data.shipment.freight_mode == "sea"',
      '8:43 warning: `data.shipment.freight_mode` is never `sea`: the platform knows air, ocean, rail, truck',
    ],
    [
      'shipment.*',
      '"sea" != data["shipment"].freight_mode',
      '8:13 warning: `data.shipment.freight_mode` is never `sea`',
    ],
    [
      '"*"',
      'data.object["freight_mode"] in ["air", "oceann"]',
      '8:52 warning: `data.object.freight_mode` is never `oceann`: did you mean `ocean`?',
    ],
    [
      '"*"',
      'type == "shipment.departd"',
      '8:21 warning: `type` is never `shipment.departd`: did you mean `shipment.departed`?',
    ],
    [
      'invoice.*',
      'data.object.status == "sent"',
      '`data.object.status` is never `sent`: the platform knows available, due',
    ],
    [
      'shipment.*',
      'data.object.cargo.containers.all(c, c.container_type != "big")',
      '`c.container_type` is never `big`',
    ],
  ])('that compares with a word which a field never is: %s %s', (events, where, expected) => {
    expect(warnings(events, `'${where}'`)).toEqual([expect.stringContaining(expected)])
  })

  it.each([
    [
      '"*"',
      'data.shipment.freight_mod == "x"',
      '8:27 warning: no event of this subscription has `data.shipment.freight_mod`: did you mean `freight_mode`?',
    ],
    ['shipment.*', 'data.customer.amount > 3.0', '`data.customer`: their `data` has object, '],
    ['shipment.created', 'data.date_change.revision > 1.0', 'no event of this subscription has `data.date_change`'],
    [
      'shipment.*',
      'data.object.cargo.containers.exists(c, c.sealnumber == "x")',
      '`c.sealnumber`: did you mean `seal_number`?',
    ],
    [
      'shipment.*',
      'data.object.priority == "x"',
      'if your platform adds it, ask `has(data.object.priority)` before it',
    ],
    ['shipment.*', 'data.shipment.name.first == "x"', 'no event of this subscription has `data.shipment.name.first`'],
    ['shipment.*', 'has(data.shipmnt.name)', '`data.shipmnt`: did you mean `shipment`?'],
  ])('that names a field which no event has: %s %s', (events, where, expected) => {
    expect(warnings(events, `'${where}'`)).toEqual([expect.stringContaining(expected)])
  })

  it('without what a variable holds', () => {
    expect(warnings('shipment.*', '"${WHERE}"')).toEqual([
      '8:12 warning: `where` names a field that no event of this subscription has; the value of a variable in it is not shown',
    ])
  })

  it('at the right place in a plain text, and at its beginning in a folded one', () => {
    expect(warnings('shipment.*', 'data.shipment.freight_mod != "x"')[0]).toContain('8:26 ')
    expect(warnings('shipment.*', '>\n      true &&\n      data.shipment.freight_mod != "x"')[0]).toContain('8:12 ')
  })
})

describe('a `where` that cannot be judged on any sample', () => {
  it.each([
    ['shipment.*', 'data.shipment.name', 'It says neither true nor false'],
    ['shipment.*', 'data.object.cargo', 'It says neither true nor false'],
    ['invoice.*', 'data.days_left > "60"', '> string'],
    ['"*"', 'data.date_change.shift_minutes >= "60"', '>= string'],
    ['tracking.*', 'data.step.type.contains(3)', 'contains'],
  ])('is warned of: %s %s', (events, where, reason) => {
    expect(warnings(events, `'${where}'`)).toContainEqual(
      expect.stringMatching(/^8:12 warning: `where` cannot be judged on any sample, such as a .*lets everything pass$/),
    )
    expect(warnings(events, `'${where}'`).join('\n')).toContain(reason)
  })

  it.each([
    ['shipment.*', 'data.shipment.name.size() > 3'],
    ['invoice.*', 'data.days_left > 60'],
    ['"*"', 'type == "invoice.due" || data.days_left > "60"'],
    ['shipment.*', 'has(data.object.own) && data.object.own > 3'],
  ])('is not one that can: %s %s', (events, where) => {
    expect(warnings(events, `'${where}'`).join('\n')).not.toContain('cannot be judged')
  })
})

describe('a `where` is not warned of', () => {
  it.each([
    ['"*"', 'data.shipment.freight_mode == "ocean" || data.object.freight_mode != "rail"'],
    ['"*"', 'has(data.object.priority) && data.object.priority.level == "x"'],
    ['"*"', '"priority" in data.object && data.object["priority"].level == "x"'],
    ['tracking.*', 'data.object.status == "whatever the platform says"'],
    ['invoice.amount_changed', 'data.to.USD > "3"'],
    ['"*"', 'data.changes.exists(c, c.path.startsWith("/route") && c.to.x == "y")'],
    ['shipment.*', 'data.previous.route.origin_port_unlocode == "CNSHA"'],
    ['"*"', 'subject.resource == "shipment" && cause == "change" && account == "acme"'],
    ['shipment.*', 'data.shipment.container_numbers[0].startsWith("MSCU")'],
    ['"*"', 'data.object.custom_parameters.exists(p, p.name == "x" && p.value == "y")'],
    ['shipment.*', 'data.object.cargo.containers.filter(c, c.seal_number != "").exists(c, c.container_number == "x")'],
    ['"*"', 'data.object.status == "paid"'],
    ['shipment.eta_changed', 'data.date_change.to.status == "planned" && data.date_change.direction == "later"'],
  ])('that speaks of what comes: %s %s', (events, where) => {
    expect(warnings(events, `'${where}'`)).toEqual([])
  })

  it('if it stands in the table of the page about filters', () => {
    const { text } = readPage('docs/how-to/filter-events.md')
    const rows = [...text.matchAll(/^\| `(.+?)` +\| (?:sent|not sent) +\|$/gm)].map(([, row = '']) => row)
    const warned = rows.filter((row) => warnings('"*"', JSON.stringify(row.replaceAll('\\|', '|'))).length > 0)
    // The page says of that one that it lets everything pass.
    expect(warned).toEqual(['data.shipment.name > 3'])
  })
})

function account(name: string, watch: string): string {
  return `  ${name}: { base_url: "https://p.example", api_key: k, watch: { ${watch}: {} } }\n`
}

describe('`start: snapshot`', () => {
  const SENDS_NOTHING = /^\d+:\d+ warning: `start: snapshot` sends nothing/

  function saysOf(events: string, where: string): readonly string[] {
    return warnings(events, `'${where}'\n    start: snapshot`).filter((line) => SENDS_NOTHING.test(line))
  }

  it.each([
    ['"*"', 'data.date_change.shift_minutes > 60.0', '8:12'],
    ['shipment.*, invoice.*', 'type.startsWith("shipment.status") || cause == "change"', '8:12'],
    ['shipment.departed', 'has(data.object.x) && data.changes.exists(c, c.path == "/x")', '8:12'],
    ['endpoint.*', 'data.object.status == "booked"', '7:13'],
  ])('is warned of where nothing passes: %s %s', (events, where, place) => {
    expect(saysOf(events, where)).toEqual([expect.stringContaining(`${place} `)])
  })

  it.each([
    ['shipment.departed', 'data.object.freight_mode == "air"'],
    ['"*"', 'has(data.order_status) && data.order_status.slack_days < 0.0'],
    ['"*"', 'cause == "snapshot" || data.date_change.shift_minutes > 60.0'],
    ['shipment.*', '!has(data.date_change) || data.date_change.shift_minutes > 60.0'],
  ])('is not where something may: %s %s', (events, where) => {
    expect(saysOf(events, where)).toEqual([])
  })

  it('is a key of the channels that records go through, and of no other', () => {
    const having = Object.entries<AnyRules>(CHANNEL_KINDS).filter(([, { own }]) => Object.hasOwn(own, 'start'))
    const all = [
      'webhook',
      'slack',
      'teams',
      'google_chat',
      'mattermost',
      'rocketchat',
      'email',
      'svix',
      'pull',
    ] as const
    expect(having.map(([kind]) => kind)).toEqual(all.filter((kind) => takesSnapshots({ kind })))
    expect(Object.keys(CHANNEL_KINDS)).toEqual(all)
  })

  it('is refused at the key where people read the channel', () => {
    const cwd = scratchFolder({
      'a.yaml': `accounts: {}
subscriptions:
  ops:
    slack: { url: "https://hooks.slack.example/T0/B0/x" }
    events: ["*"]
    start: snapshot
`,
    })
    expect(loadConfig('a.yaml', { env: {}, cwd }).problems.map(shown)).toContainEqual(
      '6:5 `start` belongs to `url`, `svix` and `pull`, not to `slack`',
    )
  })
})

describe('a pattern of events', () => {
  it.each([
    [
      'invoice.*',
      'shipments',
      '7:14 warning: `invoice.*` never comes, because no account that is heard watches `invoices`',
    ],
    ['tracking.event_added', 'shipments', '`tracking.event_added` never comes'],
    [
      'credit_note.created',
      'shipments',
      'watches `invoices`: add `invoices: {}` to its `watch`, or remove the pattern',
    ],
  ])('%s of which nothing can come is warned of where only %s are watched', (events, watch, expected) => {
    expect(warnings(events, 'subject.id != ""', watch)).toEqual([expect.stringContaining(expected)])
  })

  it.each([
    ['"*"', 'shipments'],
    ['shipment.*', 'shipments'],
    ['tracking.*', 'shipments, tracking'],
    ['endpoint.*', 'shipments'],
    ['shipbell.test', 'shipments'],
  ])('%s is not, where %s are watched', (events, watch) => {
    expect(warnings(events, 'subject.id != ""', watch)).toEqual([])
  })

  it('is judged by the accounts that are heard', () => {
    const cwd = scratchFolder({
      'shipbell.yaml': `accounts:\n${account('a', 'shipments')}${account('b', 'invoices')}defaults:
  subscription: { url: "https://e.example", secret: ${SECRET} }
subscriptions:
  one: { events: [invoice.*, account.*], accounts: [a] }
  two: { events: [invoice.*, account.*] }
`,
    })
    const { problems } = loadConfig('shipbell.yaml', { env: {}, cwd })
    expect(problems.map(shown)).toEqual([expect.stringMatching(/^7:19 warning: `invoice\.\*` never comes/)])
  })
})

/** What `check` says of an `omit`, on line 4, or of one among the defaults. */
function said(omit: string, events = 'shipment.*', more = ''): readonly string[] {
  const file = `accounts: { acme: { base_url: "https://p.example", api_key: k, watch: { shipments: {}, invoices: {}, locations: {} } } }
defaults: { subscription: { url: "https://e.example", secret: ${SECRET}${more} } }
subscriptions:
  erp: { events: ["${events}", "account.*"]${omit === '' ? '' : `, omit: ${omit}`} }
  tms: { events: ["location.*"] }
`
  const cwd = scratchFolder({ 'shipbell.yaml': file })
  const { problems } = loadConfig('shipbell.yaml', { env: { POINTER: '/hunter2' }, cwd })
  return problems.map(shown).filter((line) => line.includes('no event of this subscription'))
}

describe('an `omit` is warned of', () => {
  it.each([
    ['[/acepted_quote]', 'did you mean `/accepted_quote`?'],
    ["['shipment:/main_tracking_dates/arival_date']", 'did you mean `shipment:/main_tracking_dates/arrival_date`?'],
    ["['location:/contacts']", ', so it leaves nothing out unless your platform adds it'],
    ['[/cargo/containers/*/nothing]', ', so it leaves nothing out'],
  ])('%s', (omit, hint) => {
    const [line, ...more] = said(omit)
    expect(more).toEqual([])
    expect(line).toMatch(/^4:5\d warning: no event of this subscription has `/)
    expect(line).toContain(hint)
  })

  it('but not where an event has it, and a default is asked of all who take it', () => {
    expect(said("[/accepted_quote, '/cargo/containers/*/container_number', 'shipment:/name']")).toEqual([])
    expect(said('', 'shipment.*', ", omit: ['location:/contacts', /name]")).toEqual([])
    expect(said('', 'shipment.*', ", omit: ['invoice:/number']")).toHaveLength(1)
  })

  it('without the value of a variable', () => {
    expect(said('["${POINTER}"]')).toEqual([expect.not.stringContaining('hunter2')])
  })
})
