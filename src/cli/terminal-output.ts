import { printable } from '../printable.ts'
import type { OutputStream } from './command-context.ts'

/** Where a person watches, what goes there is made printable; files and pipes get it as it is. */
export function terminalOutput(stream: OutputStream): OutputStream {
  if (stream.isTTY !== true) return stream
  return {
    isTTY: true,
    get columns() {
      return stream.columns ?? 80
    },
    write: (text) => stream.write(printable(text)),
  }
}
