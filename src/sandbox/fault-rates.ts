import { ShipbellError } from '../errors.ts'

/** What can go wrong with a request. */
const FAULTS = {
  '429': 'too many requests, with Retry-After in seconds',
  '500': 'an error',
  stall: 'the answer is held back for two minutes',
  broken: 'the JSON is cut off',
  html: 'a page with status 200',
  shift: 'rows of a list jump between pages while they are read',
} as const
type Fault = keyof typeof FAULTS
const NAMES: readonly Fault[] = ['429', '500', 'stall', 'broken', 'html', 'shift']

/** How probable each fault is at one request. All but `shift` exclude each other, so that these sum up to 1 at most. */
export type FaultRates = Readonly<Record<Fault, number>>

const NONE: FaultRates = { '429': 0, '500': 0, stall: 0, broken: 0, html: 0, shift: 0 }

const FAULT_PROFILES = {
  none: NONE,
  light: { '429': 0.01, '500': 0.01, stall: 0.002, broken: 0.005, html: 0.005, shift: 0.05 },
  heavy: { '429': 0.05, '500': 0.05, stall: 0.01, broken: 0.03, html: 0.03, shift: 0.3 },
} as const satisfies Readonly<Record<string, FaultRates>>

/** `none`, `light`, `heavy`, or probabilities as in `429=0.05,stall=0.01`; those not named are 0. Throws `usage`. */
export function parseFaultRates(text: string): FaultRates {
  if (text === 'none' || text === 'light' || text === 'heavy') return FAULT_PROFILES[text]
  const rates = { ...NONE }
  const named = new Set<Fault>()
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(part) ?? []
    const fault = NAMES.find((each) => each === name)
    if (fault === undefined || named.has(fault)) throw unusable(text, part)
    if (!/^(?:0|1|0?\.\d+|0\.|1\.0*)$/.test(value)) throw unusable(text, part)
    named.add(fault)
    rates[fault] = Number(value)
  }
  const sum = NAMES.filter((fault) => fault !== 'shift').reduce((total, fault) => total + rates[fault], 0)
  if (sum <= 1 + Number.EPSILON) return rates
  throw new ShipbellError('usage', `--faults ${JSON.stringify(text)} must not sum up to more than 1 without shift.`)
}

function unusable(text: string, part: string): ShipbellError {
  const where = part === text ? '' : ` at ${JSON.stringify(part.trim())}`
  return new ShipbellError(
    'usage',
    `--faults must be none, light, heavy or probabilities from 0 to 1 like 429=0.05,shift=0.1 (of ${NAMES.join(', ')}), not ${JSON.stringify(text)}${where}.`,
  )
}

/** Each fault and each profile in a line of its own. */
export function faultsHelp(): string {
  const rates = (profile: FaultRates): string => NAMES.map((name) => `${name}=${profile[name]}`).join(',')
  return [
    'Faults, each with its probability at one request (seeded: --seed):',
    ...NAMES.map((name) => `  ${name.padEnd(8)} ${FAULTS[name]}`),
    'Profiles:',
    ...Object.entries(FAULT_PROFILES).map(([name, profile]) => `  ${name.padEnd(8)} ${rates(profile)}`),
  ].join('\n')
}
