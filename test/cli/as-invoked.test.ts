import { expect, it } from 'vitest'
import { Workplace } from '../support/shipbell.ts'

it('commands that are printed are as the program was started', async () => {
  using place = new Workplace()
  place.environment = { npm_command: 'exec' }
  expect((await place.run('status')).stderr).toBe(
    'There is no configuration shipbell.yaml: write one with `npx shipbell init`, or name another with -c FILE.\n',
  )
})
