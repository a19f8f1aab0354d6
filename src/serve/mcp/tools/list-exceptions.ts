import { z } from '@hono/zod-openapi'
import { fitting } from '../answer.ts'
import { exception, exceptionItem, exceptionLine, shownExceptions } from '../exceptions.ts'
import { account, cursor, fields, next } from '../parts.ts'
import { tool } from '../tool.ts'

export const listExceptions = tool({
  name: 'list_exceptions',
  title: 'What is not well',
  description:
    'Lists what is not well and still open, the heaviest and oldest first, with who was told and, where a delivery is at risk, when it is expected and desired: problems, milestones that passed, deliveries of shipments and orders at risk, overdue invoices, missed expectations. For orders that will miss their date ask for the type purchase_order.delivery_at_risk.',
  input: z.strictObject({
    account: account.optional().describe('Only of this account.'),
    type: z
      .string()
      .max(100)
      .optional()
      .describe(
        'Only opened by this type of event: shipment.problem_reported, shipment.milestone_overdue, shipment.delivery_at_risk, purchase_order.delivery_at_risk, invoice.overdue or expectation.missed.',
      ),
    cursor,
  }),
  output: fields({ items: z.array(exception), next }),
  answer: async ({ account: of, cursor: place, type }, desk) =>
    await fitting(async (limit) => {
      const page = await desk.store.exceptionPage({
        now: desk.clock.now(),
        states: ['open', 'acknowledged'],
        heaviestFirst: true,
        limit,
        ...(place !== undefined && { cursor: place }),
        ...(of !== undefined && { account: of }),
        ...(type !== undefined && { type }),
      })
      const shown = await shownExceptions(page.items, desk)
      return {
        lead: [
          shown.length === 0
            ? 'Nothing of the kind is open.'
            : `Open: ${shown.length}${page.next === null ? '' : ', and more'}.`,
        ],
        data: shown.map((each) => exceptionLine(each, desk)),
        structured: { items: shown.map((each) => exceptionItem(each, desk)) },
        next: page.next,
      }
    }),
})
