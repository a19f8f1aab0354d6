import type { CommandContext } from './command-context.ts'

/** Worth a line of its own. */
const MANY = 100

const CLEAR_LINE = '\r\u001B[2K'

/** On a terminal, one line that says how far something long is; `end` takes it away. */
export function progressLine({ stderr }: Pick<CommandContext, 'stderr'>) {
  let shown = ''
  return {
    show: ({ done, total }: { readonly done: number; readonly total: number }): void => {
      const line = `${done} of ${total} done (${Math.floor((100 * done) / total)} %)`
      if (stderr.isTTY !== true || total < MANY || line === shown) return
      shown = line
      stderr.write(`${CLEAR_LINE}${line}`)
    },
    end: (): void => {
      if (shown !== '') stderr.write(CLEAR_LINE)
      shown = ''
    },
  }
}
