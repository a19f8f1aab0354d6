import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = path.resolve(import.meta.dirname, '../src')

/** Rooms whose comments are still to be rewritten, with how many lean there: a number that only goes down. */
const STILL_LEANING: Readonly<Record<string, number>> = { store: 20 }

const ONE_LINE = /^\s*\/\*\* (.*?)\s*\*\/\s*$/
/** How a sentence begins that says what it is about only beside the line before: an editor shows it alone. */
const LEANS =
  /^(?:Of|Its?|Their|They|Them|Those(?! who)|These|The (?:same|others)|As|In|Until|null|undefined|Left out|None|Both|Others|Also|Whose|Neither|So (?:many|much|do))\b/

/** Doc comments of one line that lean on another, by room. */
function leaning(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.ts$/.test(file))
  const found = files.flatMap((file) =>
    readFileSync(path.join(SOURCE, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [, comment = ''] = ONE_LINE.exec(line) ?? []
        return LEANS.test(comment) ? [{ room: file.split('/')[0] ?? '', at: `${file}:${index + 1}: ${comment}` }] : []
      }),
  )
  const byRoom = Map.groupBy(found, ({ room }) => room)
  return new Map([...byRoom].map(([room, comments]) => [room, comments.map(({ at }) => at)]))
}

test('a doc comment of one line names its subject', () => {
  const rooms = [...leaning()].filter(([room]) => !Object.hasOwn(STILL_LEANING, room))
  expect(rooms.flatMap(([, comments]) => comments)).toEqual([])
})

test.each(Object.entries(STILL_LEANING))('%s has no more comments that lean than %i', (room, most) => {
  expect(leaning().get(room)?.length ?? 0).toBeLessThanOrEqual(most)
})
