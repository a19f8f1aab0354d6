import type { OutputStream } from './command-context.ts'

/**
 * Writes lines to a stream, those of one turn of the event loop together: a pipe takes a system call for each write, as long as
 * everything else that a line costs. They keep their order, also with what others write there.
 */
export function writtenTogether(stream: OutputStream): (line: string) => void {
  let isHeld = false
  return (line) => {
    if (!isHeld) {
      isHeld = true
      stream.cork?.()
      setImmediate(() => {
        isHeld = false
        stream.uncork?.()
      })
    }
    stream.write(line)
  }
}
