import { expect, it } from 'vitest'
import { Workplace } from '../support/shipbell.ts'
import { PLAIN } from './hostile-text.ts'

it('no text of others steers a terminal in the sentence that a command ends with', async () => {
  using place = new Workplace()
  const { code, stderr } = await place.run('status', '-c', 'none\u009b\u202e\u001b[8m.yaml')
  expect(code).toBe(2)
  expect(stderr).toContain('none')
  expect(stderr).toMatch(PLAIN)
  expect((await place.run('--none\u009b\u202e')).stderr).toMatch(PLAIN)
})
