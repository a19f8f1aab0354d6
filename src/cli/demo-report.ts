import { textWidth } from './text-width.ts'
import type { Clock } from '../clock.ts'
import { sentenceOf, toneOf } from '../message/message.ts'
import { formatDuration } from '../model/duration.ts'
import { textField } from '../model/json.ts'
import type { OutputStream } from './command-context.ts'
import type { ReceivedDelivery } from './receiver.ts'
import { painted, terminalText, type Paint } from './terminal.ts'

/** The width of the column of types: most types fit. */
const TYPE_WIDTH = 31
const MOST_TYPES = 12

interface DemoReportOptions {
  readonly stream: OutputStream
  readonly paint: Paint
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
}

/** One line for each event that the demo's receiver gets, and what they came to in the end. */
export class DemoReport {
  readonly #options: DemoReportOptions
  readonly #startedAt: number
  readonly #types = new Map<string, number>()
  #deliveries = 0
  #again = 0
  #doubtful = 0

  constructor(options: DemoReportOptions) {
    this.#options = options
    this.#startedAt = options.clock.monotonic()
  }

  note(delivery: ReceivedDelivery): void {
    const { paint, stream } = this.#options
    const { coming, payload, signature } = delivery
    const type = textField(payload, 'type') ?? delivery.problem ?? 'unknown'
    this.#deliveries += 1
    if (coming.kind === 'first') this.#types.set(type, (this.#types.get(type) ?? 0) + 1)
    else this.#again += 1
    if (signature.kind !== 'verified') this.#doubtful += 1
    const shown = terminalText(type)
    const parts = [
      paint('dim', new Date(this.#options.clock.now()).toTimeString().slice(0, 8)),
      painted(toneOf(payload), shown, paint) + ' '.repeat(Math.max(TYPE_WIDTH - shown.length, 0)),
      this.#fitting(terminalText(sentenceOf(payload), Number.POSITIVE_INFINITY), Math.max(shown.length, TYPE_WIDTH)),
    ]
    stream.write(`${parts.join('  ')}\n`)
  }

  /** One line is one event: on a terminal, what does not fit is cut. */
  #fitting(sentence: string, typeWidth: number): string {
    const { columns, isTTY } = this.#options.stream
    if (isTTY !== true) return sentence
    const room = Math.max((columns ?? 80) - '00:00:00'.length - typeWidth - 4, 20)
    if (textWidth(sentence) <= room) return sentence
    let cut = ''
    for (const { segment } of new Intl.Segmenter('en').segment(sentence)) {
      if (textWidth(cut + segment) >= room) break
      cut += segment
    }
    return `${cut}…`
  }

  summary(): string {
    const { clock, paint } = this.#options
    const seconds = Math.round((clock.monotonic() - this.#startedAt) / 1_000)
    const events = [...this.#types.values()].reduce((sum, each) => sum + each, 0)
    const again = this.#again === 0 ? 'each arrived once' : `${this.#again} arrived again`
    const signed = this.#doubtful === 0 ? 'every signature verified' : `${this.#doubtful} signatures not verified`
    const head = `${counted(events, 'event')} in ${formatDuration(seconds * 1_000)}; ${counted(this.#deliveries, 'delivery', 'deliveries')}: ${again}, ${signed}.`
    const types = [...this.#types].toSorted(([, left], [, right]) => right - left)
    const lines = types
      .slice(0, MOST_TYPES)
      .map(([type, amount]) => `${String(amount).padStart(6)}  ${terminalText(type)}`)
    const rest = types.slice(MOST_TYPES).reduce((sum, [, amount]) => sum + amount, 0)
    const more = rest === 0 ? [] : [`${String(rest).padStart(6)}  of other types`]
    return ['', paint('bold', head), ...lines, ...more, ''].join('\n')
  }
}

function counted(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}
