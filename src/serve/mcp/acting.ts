import { ShipbellError } from '../../errors.ts'
import type { ToolActions, ToolDesk } from './tool-desk.ts'

/** What may be done. Throws `forbidden` where whoever asks may only look, who is shown no such tool. */
export function actionsOf({ actions }: ToolDesk): ToolActions {
  if (actions === null) throw new ShipbellError('forbidden', 'With this token you may look and change nothing.')
  return actions
}
