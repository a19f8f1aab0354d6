import { expect, it } from 'vitest'
import { Workplace } from '../support/shipbell.ts'

it('ends with 2 after a mistyped command, and names the one that was meant', async () => {
  using place = new Workplace()
  expect(await place.run('statu')).toEqual({
    code: 2,
    stdout: '',
    stderr: "error: unknown command 'statu'\n(Did you mean status?)\n",
  })
})
