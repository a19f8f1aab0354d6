import { expect, it } from 'vitest'
import { Workplace } from '../support/shipbell.ts'

it.each([
  [{}, 'shipbell'],
  [{ npm_command: 'exec' }, 'npx shipbell'],
])('commands that are printed are as the program was started: %j', async (environment, program) => {
  using place = new Workplace()
  place.environment = environment
  expect((await place.run('status')).stderr).toBe(
    `There is no configuration shipbell.yaml: write one with \`${program} init\`, or name another with -c FILE.\n`,
  )
  expect((await place.run('init')).stdout).toContain(
    `3. ${program} check -c shipbell.yaml, then ${program} run -c shipbell.yaml`,
  )
  place.write('shipbell.yaml', '')
  expect((await place.run('check')).stdout).toContain(`\`${program} init\` writes one to start from`)
})
