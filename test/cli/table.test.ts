import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { painter } from '../../src/cli/terminal.ts'
import { writeTable, type Cell } from '../../src/cli/table.ts'

const COLUMNS = [{ title: 'NAME' }, { title: 'N', align: 'right' }, { title: 'STATE' }] as const

function table(rows: readonly (readonly Cell[])[], { isTTY = false, env = {} } = {}): string {
  let text = ''
  const stdout = {
    isTTY,
    write: (more: string) => {
      text += more
    },
  }
  writeTable(COLUMNS, rows, { stream: stdout, paint: painter({ stdout, env }) })
  return text
}

const COLOURED = [['a', '1', { text: 'ok', style: 'green' }]] as const

describe('a table', () => {
  it('aligns its columns by what is seen', () => {
    const text = table([
      ['acme', '7', 'ok'],
      ['日本', '1234', 'failing'],
      ['é'.normalize('NFD'), '', ''],
    ])
    expect(text).toBe(
      'NAME     N  STATE\nacme     7  ok\n日本  1234  failing\né           \n'.replace('é', 'é'.normalize('NFD')),
    )
  })

  it('shows control characters of hostile cells as escapes', () => {
    const text = table([['\u001b[2Jx\r\n\u202e', '1', { text: '\u001b]0;title\u0007', style: 'red' }]])
    expect(text.split('\n')).toHaveLength(3)
    expect(text.match(/[^\P{Cc}\n]/gu) ?? []).toEqual([])
    expect(text).not.toContain('\u202e')
  })

  it('has colours only on a terminal, and not with NO_COLOR', () => {
    const plain = table(COLOURED)
    expect(stripVTControlCharacters(plain)).toBe(plain)
    const coloured = table(COLOURED, { isTTY: true })
    expect(coloured).not.toBe(plain)
    expect(stripVTControlCharacters(coloured)).toBe(plain)
    expect(table(COLOURED, { isTTY: true, env: { NO_COLOR: '1' } })).toBe(plain)
    expect(table(COLOURED, { isTTY: true, env: { NO_COLOR: '' } })).toBe(coloured)
  })
})

describe('the room that a cell takes', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['🚢', 2],
    ['🇫🇷', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('for %j is %i columns', (text, width) => {
    expect(
      table([
        ['123456', '7', ''],
        [text, '8', ''],
      ]).split('\n')[2],
    ).toBe(`${text}${' '.repeat(6 - width)}  8  `)
  })
})
