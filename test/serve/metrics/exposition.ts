/** A sample of the text format of Prometheus. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

export function samplesOf(text: string): readonly Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const {
      name = '',
      labels = '',
      value = '',
    } = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/.exec(line)?.groups ?? {}
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text] as const)
    return {
      name,
      labels: Object.fromEntries(pairs.toSorted(([one], [other]) => one.localeCompare(other))),
      value: Number(value),
    }
  })
}

/** By name and labels: `shipbell_records{account="acme",resource="shipments"}`. */
export function valuesOf(text: string): ReadonlyMap<string, number> {
  return new Map(samplesOf(text).map(({ labels, name, value }) => [seriesName(name, labels), value]))
}

function seriesName(name: string, labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text}"`)
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`
}
