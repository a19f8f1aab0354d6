/** One subscription under each of two configurations. */
export interface DiffKind {
  readonly name: string
  readonly old: string
  readonly new: string
}

const ERP = 'url: "https://erp.example/h", secret: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, events: ["*"]'
const TEAMS = 'teams: { url: "https://chat.example/h" }, events: ["*"]'
const MAIL = 'email: { to: [ap@example.com], from: shipbell@example.com }, events: ["*"]'

/** What `shipbell diff` is measured by: the cheapest first. */
export const DIFF_KINDS: readonly DiffKind[] = [
  { name: 'nothing differs', old: ERP, new: ERP },
  { name: '`min_shift`', old: ERP, new: `${ERP}, min_shift: 6h` },
  { name: '`where` on the event', old: ERP, new: `${ERP}, where: 'data.shipment.freight_mode == "ocean"'` },
  { name: '`where` on the record', old: ERP, new: `${ERP}, where: 'data.object.status != "booked"'` },
  { name: '`omit` of a webhook', old: ERP, new: `${ERP}, omit: [/specific_instructions]` },
  { name: '`omit` of a chat, not told', old: TEAMS, new: `${TEAMS}, omit: [/specific_instructions]` },
  { name: '`omit` of a chat, told', old: TEAMS, new: `${TEAMS}, omit: [/name]` },
  {
    name: 'zones of a chat that read alike',
    old: `${TEAMS}, time_zone: Europe/Paris`,
    new: `${TEAMS}, time_zone: Europe/Berlin`,
  },
  { name: 'a template of a chat', old: `${TEAMS}, template: one.liquid`, new: `${TEAMS}, template: other.liquid` },
  {
    name: 'a template of a digest',
    old: `${MAIL}, digest: { at: "08:00" }, template: one.liquid`,
    new: `${MAIL}, digest: { at: "08:00" }, template: other.liquid`,
  },
  {
    name: '`omit` of a digest',
    old: `${MAIL}, digest: { at: "08:00" }`,
    new: `${MAIL}, digest: { at: "08:00" }, omit: [/specific_instructions]`,
  },
]

const LINES = `{{ sentence }}
{% for fact in facts %}{{ fact.label }}: {{ fact.value }}
{% endfor %}`

export const DIFF_TEMPLATES: Readonly<Record<string, string>> = {
  'one.liquid': `${LINES}{% if data.shipment %}https://tms.example/{{ data.shipment.id | url_encode }}{% endif %}`,
  'other.liquid': `${LINES}{% if data.shipment %}https://new.example/{{ data.shipment.id | url_encode }}{% endif %}`,
}

export function diffConfig(subscription: string, store: string): string {
  return `accounts:
  acme: { base_url: "https://platform.example", api_key: key }
  beta: { base_url: "https://platform.example/b", api_key: key }
smtp: smtp://mail.example:25
http: false
storage: { path: ${JSON.stringify(store)} }
subscriptions:
  one: { ${subscription} }
`
}
