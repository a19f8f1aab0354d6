import { Command } from 'commander'
import { ShipbellError } from '../errors.ts'

/** Commands that are planned and not built yet: refused with that sentence. */
const PLANNED = ['schema', 'backup'] as const

export function plannedCommands(): readonly Command[] {
  return PLANNED.map((name) =>
    new Command(name)
      .allowUnknownOption()
      .argument('[anything...]')
      .action(() => {
        throw new ShipbellError('usage', `\`shipbell ${name}\` is not built yet; \`shipbell --help\` lists what is.`)
      }),
  )
}
