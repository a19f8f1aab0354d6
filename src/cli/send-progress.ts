import type { CommandContext } from './command-context.ts'

/** Worth a line of its own. */
const MANY = 100

/** On a terminal, one line that says how far a large sending is; `end` takes it away. */
export function sendProgress({ stderr }: Pick<CommandContext, 'stderr'>) {
  let shown = false
  return {
    show: ({ done, total }: { readonly done: number; readonly total: number }): void => {
      if (stderr.isTTY !== true || total < MANY) return
      shown = true
      stderr.write(`\r\u001B[2K${done} of ${total} done (${Math.floor((100 * done) / total)} %)`)
    },
    end: (): void => {
      if (shown) stderr.write('\r\u001B[2K')
    },
  }
}
