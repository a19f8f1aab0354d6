import { z } from '@hono/zod-openapi'
import { ShipbellError } from '../../../errors.ts'
import { LONGEST_NOTE } from '../../../model/exception.ts'
import { readPointAhead } from '../../../model/point-in-time.ts'
import { viewer } from '../../pages/parts/viewer.ts'
import { exception, exceptionItem, exceptionLine, shownExceptions } from '../exceptions.ts'
import { actionsOf } from '../acting.ts'
import { tool } from '../tool.ts'

export const acknowledgeException = tool({
  name: 'acknowledge_exception',
  title: 'Acknowledge an exception',
  description:
    'Acts: says that somebody sees to an open exception, in the name of the token that is used. Nobody is reminded of it until `until`, or until it closes, and it no longer stands among what needs somebody. It replaces what was said of it before; `shipbell exceptions reopen` takes it back. Call it only when the person you work for asks for it.',
  input: z.strictObject({
    id: z.string().min(1).max(100).describe('The whole id of the exception (exc_…), as list_exceptions gives it.'),
    note: z.string().max(LONGEST_NOTE).optional().describe('What is done about it: people read it.'),
    until: z
      .string()
      .max(100)
      .optional()
      .describe('An instant or a date ahead, or a duration from now: 2026-12-01T08:00:00Z, 2026-12-01, 2d.'),
  }),
  output: exception,
  acts: { destructive: false, idempotent: true },
  answer: async ({ id, note, until }, desk) => {
    const { acknowledge, by } = actionsOf(desk)
    const at = until === undefined ? null : readPointAhead(until, desk.clock.now(), viewer().timeZone)
    if (until !== undefined && (at === null || at <= desk.clock.now()))
      throw new ShipbellError(
        'usage',
        `until ${JSON.stringify(until)} is no time ahead: give an instant, a date or a duration from now, such as 2d.`,
      )
    const done = await acknowledge(id, { by, note: note ?? null, until: at })
    const [shown] = await shownExceptions([done], desk)
    if (shown === undefined) throw new Error('One exception is shown.')
    return {
      lead: ['The exception is acknowledged.'],
      data: [exceptionLine(shown, desk)],
      structured: exceptionItem(shown, desk),
    }
  },
})
