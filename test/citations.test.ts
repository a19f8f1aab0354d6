import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const RULES = readFileSync(path.join(ROOT, 'docs/reference/guarantees.md'), 'utf8')
const NUMBERS = [...RULES.matchAll(/^### ([A-Z]\d+) /gm)].map(([, number = '']) => number)
/** `guarantee D6`, `guarantees D6 and D7`, `guarantees D2 to D4`; a comment may break the line before the number. */
const CITED = /\bguarantees?\s+(?:\*\s+|\/\/\s+)?([A-Z]\d+(?:(?:, | and | to )[A-Z]\d+)*)/g

function textOf(folder: string): string {
  const files = readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  const texts = files.filter((file) => /\.(?:ts|js|md)$/.test(file) && !file.endsWith('citations.test.ts'))
  return texts.map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8')).join('\n')
}

describe('the guarantees', () => {
  const text = textOf('src') + textOf('test')

  test('have a number each', () => {
    expect(NUMBERS.length).toBeGreaterThan(50)
    expect(new Set(NUMBERS).size).toBe(NUMBERS.length)
  })

  test('that code and tests cite are there', () => {
    const cited = [...text.matchAll(CITED)].flatMap(([, numbers = '']) => numbers.split(/, | and | to /))
    expect(cited.length).toBeGreaterThan(100)
    expect([...new Set(cited)].filter((number) => !NUMBERS.includes(number))).toEqual([])
  })

  test('are what is cited, not a paper that the repository does not hold', () => {
    expect(text).not.toMatch(/\bcontract\s+(?:\*\s+)?sections?\s+(?:\*\s+)?\d/)
  })
})
