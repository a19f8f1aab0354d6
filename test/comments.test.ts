import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = path.resolve(import.meta.dirname, '../src')

const ONE_LINE = /^\s*\/\*\* (.*?)\s*\*\/\s*$/
/** How a sentence begins that says what it is about only beside the line before: an editor shows it alone. */
const LEANS =
  /^(?:Of|Its?|Their|They|Them|Those(?! who)|These|The (?:same|others)|As|In|Until|null|undefined|Left out|None|Both|Others|Also|Whose|Neither|So (?:many|much|do))\b/

/** Where doc comments of one line lean on another. */
function leaning(): readonly string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.ts$/.test(file))
  return files.flatMap((file) =>
    readFileSync(path.join(SOURCE, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [, comment = ''] = ONE_LINE.exec(line) ?? []
        return LEANS.test(comment) ? [`${file}:${index + 1}: ${comment}`] : []
      }),
  )
}

test('a doc comment of one line names its subject', () => {
  expect(leaning()).toEqual([])
})
