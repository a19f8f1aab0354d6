import { Service, type ServiceOptions } from '../app.ts'
import { requireConfig } from '../config/load-config.ts'
import { LiveConfig } from '../config/live-config.ts'
import type { Logger } from '../log.ts'
import { openCommandLog } from './command-log.ts'
import type { CommandContext } from './command-context.ts'

export interface OpenedService {
  readonly service: Service
  readonly live: LiveConfig
  readonly log: Logger
}

/** The service that a configuration describes, logging the way commands do. */
export async function openService(
  file: string,
  context: CommandContext,
  how: Pick<ServiceOptions, 'command' | 'patience'>,
): Promise<OpenedService> {
  const live = new LiveConfig(requireConfig(file, context))
  const { log, progress } = await openCommandLog(live, context)
  const service = await Service.open({ ...how, live, clock: context.clock, log, random: Math.random, progress })
  return { service, live, log }
}
