import type { BaselineProgress, Progress } from '../app.ts'
import type { OutputStream } from './command-context.ts'

export interface ProgressBar {
  readonly show: Progress
  /** Takes the bar off the screen, for a line of log to be written. */
  clear(): void
  draw(): void
}

const WIDTH = 24
const CLEAR_LINE = '\r\u001B[2K'

/** One line at the bottom of a terminal with every baseline under way. */
export function createProgressBar(stream: OutputStream): ProgressBar {
  const running = new Map<string, BaselineProgress>()
  const clear = (): void => {
    if (running.size > 0) stream.write(CLEAR_LINE)
  }
  const draw = (): void => {
    if (running.size > 0)
      stream.write(
        [...running.values()]
          .map(render)
          .join('   ')
          .slice(0, (stream.columns ?? 80) - 1),
      )
  }
  const show = (progress: BaselineProgress): void => {
    clear()
    const key = `${progress.account} ${progress.watch}`
    if (progress.total === progress.done) running.delete(key)
    else running.set(key, progress)
    draw()
  }
  return { show, clear, draw }
}

function render({ account, watch, done, total }: BaselineProgress): string {
  if (total === null) return `${account} ${watch} ${done}`
  const filled = Math.round((WIDTH * done) / Math.max(total, 1))
  return `${account} ${watch} [${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${done}/${total}`
}
