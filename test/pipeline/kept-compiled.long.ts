import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Workplace } from '../support/shipbell.ts'

const FOLDER = `shipbell-compiled-${process.getuid?.()}`

test('what a command compiled is kept where its user alone may write', async () => {
  using work = new Workplace()
  work.environment = { TMPDIR: work.folder }
  const folder = path.join(work.folder, FOLDER)
  expect((await work.run('--version')).code).toBe(0)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toHaveLength(1)
})

test('nothing is taken from a folder that others may write, and nothing is put there', async () => {
  using work = new Workplace()
  work.environment = { TMPDIR: work.folder }
  const folder = path.join(work.folder, FOLDER)
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  const { code, stderr } = await work.run('--version')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(readdirSync(folder)).toEqual([])
})

test('a command runs where nothing can be kept', async () => {
  using work = new Workplace()
  work.environment = { TMPDIR: path.join(work.folder, 'missing') }
  const { code, stderr } = await work.run('--version')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test.skipIf(process.getuid?.() !== 0)('a command runs where it may not even look', async () => {
  using work = new Workplace()
  const closed = path.join(work.folder, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  chmodSync(work.folder, 0o755)
  work.environment = { TMPDIR: path.join(closed, 'tmp') }
  const { code, stderr } = await work.runAs(65_534, '--version')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})
