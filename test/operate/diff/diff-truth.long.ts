import path from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { Config } from '../../../src/config/config.ts'
import { compareFiles } from '../../../src/operate/diff/compare-files.ts'
import { compareLog } from '../../../src/operate/diff/compare-log.ts'
import { DIFFERENCES } from '../../../src/operate/diff/difference-marks.ts'
import { scratchFolder, SECRET } from '../../config/scratch.ts'
import { live, receivers, script, type Arrival, type Receivers } from './replayed-world.ts'

const DAY_MS = 86_400_000

/** Two configurations, of which each key that decides what is told is another in the second for one subscription. */
function files({ http, mail }: Receivers): Readonly<Record<string, string>> {
  const hook = (name: string): string => `url: ${http.url}/${name}, secret: ${SECRET}, events: ["shipment.*"]`
  const chat = (name: string): string =>
    `mattermost: { url: "${http.url}/${name}" }, events: ["shipment.eta_changed", shipment.created], language: de`
  const post = `email: { to: [ap@example.com], from: shipbell@example.com }, events: ["shipment.*"], time_zone: Europe/Paris`
  const shared = `accounts:
  acme: { base_url: "https://platform.example", api_key: key, watch: { shipments: {} } }
smtp: ${mail.url()}
http: false
delivery: { allow_networks: [127.0.0.0/8] }
subscriptions:
  same: { ${hook('same')} }
`
  return {
    'old.yaml': `${shared}  gone: { ${hook('gone')} }
  filtered: { ${hook('filtered')} }
  dates: { ${hook('dates')}, min_shift: 6h }
  bare: { ${hook('bare')} }
  thin: { ${hook('thin')} }
  held: { ${hook('held')} }
  team: { ${chat('team')}, min_shift: 6h }
  night: { ${chat('night')}, time_zone: Europe/Paris }
  worded: { ${chat('worded')}, template: one.liquid }
  gained: { ${chat('gained')}, min_shift: 6h }
  lost: { ${chat('lost')}, template: some.liquid }
  spared: { ${chat('spared')}, omit: [/note] }
  nameless: { ${chat('nameless')} }
  moved: { ${chat('moved')}, time_zone: Europe/Paris }
  posted: { ${hook('posted')}, body: { template: '{"text": {{ text | json }}, "of": {{ subject.id | json }}}' } }
  finance: { ${post}, digest: { at: "08:00" } }
`,
    'new.yaml': `${shared}  fresh: { ${hook('fresh')} }
  filtered: { ${hook('filtered')}, where: 'data.shipment.freight_mode == "ocean"' }
  dates: { ${hook('dates')}, min_shift: 20h }
  bare: { ${hook('bare')}, omit: [/note] }
  thin: { ${hook('thin')}, payload: thin }
  held: { ${hook('held')}, enabled: false }
  team: { ${chat('team')}, min_shift: 20h }
  night: { ${chat('night')}, quiet: { from: "20:00", to: "06:30" }, time_zone: Europe/Paris }
  worded: { ${chat('worded')}, template: other.liquid }
  gained: { ${chat('gained')}, template: one.liquid, min_shift: 6h }
  lost: { ${chat('lost')} }
  spared: { ${chat('spared')}, omit: [/note, /commercial_value] }
  nameless: { ${chat('nameless')}, omit: [/name] }
  moved: { ${chat('moved')}, time_zone: Europe/Berlin }
  posted: { ${hook('posted')}, body: { template: '{% assign of = subject.version %}{"text": {{ text | json }}, "of": {{ of | json }}}' } }
  finance: { ${post}, digest: { at: "11:00" } }
`,
    'one.liquid': '{{ sentence }}\n{% for fact in facts %}{{ fact.value }}\n{% endfor %}',
    'other.liquid': '{% assign name = data.shipment.name %}{{ sentence }}\n{{ name | truncate: 6 }}',
    'some.liquid': '{{ sentence }}\n{% for fact in facts %}{{ fact.label }}: {{ fact.value }}\n{% endfor %}',
  }
}

function configOf(file: string): Config {
  const { config, problems } = loadConfig(file, { env: {}, cwd: '/' })
  if (config === null) throw new Error(JSON.stringify(problems))
  return config
}

function isAlike(one: Arrival, other: Arrival): boolean {
  const isSameText = one.text === null || other.text === null || one.text === other.text
  return one.at === other.at && isSameText
}

function differencesOf(old: Arrivals, other: Arrivals) {
  return {
    less: [...old.keys()].filter((id) => !other.has(id)).toSorted(),
    more: [...other.keys()].filter((id) => !old.has(id)).toSorted(),
    different: [...old]
      .filter(([id, arrival]) => other.has(id) && !isAlike(arrival, other.get(id) ?? arrival))
      .map(([id]) => id)
      .toSorted(),
  }
}

/** Subscriptions whose messages read differently: of events that came in one message with others nobody knows how each alone would. */
const READ: ReadonlySet<string> = new Set(['worded', 'gained', 'lost', 'nameless'])

function isKnown(name: string, { old, other }: { readonly old: Arrivals; readonly other: Arrivals }) {
  return (id: string): boolean => !READ.has(name) || (old.get(id)?.text !== null && other.get(id)?.text !== null)
}

const NOTHING: Arrivals = new Map()

type Arrivals = ReadonlyMap<string, Arrival>

test.each([1, 2])('what differs is what two daemons really sent, event by event (world %i)', async (seed) => {
  const places = await receivers()
  const folder = scratchFolder(files(places))
  const [oldFile, newFile] = ['old.yaml', 'new.yaml'].map((name) => path.join(folder, name))
  if (oldFile === undefined || newFile === undefined) throw new Error('Two files are compared.')
  const steps = script(seed)
  const old = await live(configOf(oldFile), steps, places)
  const other = await live(configOf(newFile), steps, places)
  const { pairs, untried } = compareFiles(oldFile, newFile, { env: {}, cwd: '/' })
  expect(untried).toEqual([])
  const now = old.polling.clock.now()
  const { store } = old.polling
  const log = await compareLog(store, pairs, { since: null, now, namesAll: true, goOn: async () => undefined })
  const days = (log.to - log.from) / DAY_MS
  for (const { ids, name, perDay } of log.subscriptions) {
    const [before = NOTHING, after = NOTHING] = [old, other].map((lived) => lived.arrived.get(name) ?? NOTHING)
    const truth = differencesOf(before, after)
    const known = isKnown(name, { old: before, other: after })
    const said = Object.fromEntries(DIFFERENCES.map((each) => [each, [...ids(each)].filter(known).toSorted()]))
    expect({ name, ...said }).toEqual({ name, ...truth })
    expect([name, Math.round(perDay.old * days), Math.round(perDay.new * days)]).toEqual([
      name,
      old.messages.get(name) ?? 0,
      other.messages.get(name) ?? 0,
    ])
  }
  const kinds = log.subscriptions.map(({ name, counts }) => [
    name,
    counts.less > 0,
    counts.more > 0,
    counts.different > 0,
  ])
  expect(Object.fromEntries(kinds.map(([name, ...differs]) => [name, differs]))).toEqual({
    same: [false, false, false],
    fresh: [false, true, false],
    gone: [true, false, false],
    filtered: [true, false, false],
    dates: [true, expect.any(Boolean), false],
    bare: [true, false, true],
    thin: [false, false, true],
    held: [true, false, false],
    team: [true, expect.any(Boolean), expect.any(Boolean)],
    night: [false, false, true],
    worded: [false, false, true],
    gained: [false, false, true],
    lost: [false, false, true],
    spared: [false, false, false],
    nameless: [false, false, true],
    moved: [false, false, false],
    posted: [false, false, true],
    finance: [false, false, true],
  })
})
