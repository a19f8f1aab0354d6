import { z } from '@hono/zod-openapi'
import { asStarted } from '../../../invocation.ts'
import { retryNotes } from '../../../report/retry-notes.ts'
import { actionsOf } from '../acting.ts'
import { dataLine } from '../data-block.ts'
import { fields, text, whole } from '../parts.ts'
import { tool } from '../tool.ts'

/** How many rows of an event are looked at for what is to be said of their endpoints. */
const MOST_ROWS = 50
/** What is said where the store alone is asked. */
const UNSENT = 'No daemon runs: what waits is sent once one does.'

export const retryDelivery = tool({
  name: 'retry_delivery',
  title: 'Send a delivery again',
  description:
    'Acts: sends one delivery again to its subscription, under its old id, one that was delivered too; of the id of an event, all its deliveries that may be seen. Whoever receives them gets them once more: it cannot be taken back. Call it only when the person you work for asks for it.',
  input: z.strictObject({
    id: z
      .string()
      .min(1)
      .max(100)
      .describe('The whole id of a delivery (dlv_…), as explain_event gives it, or of an event (evt_…).'),
  }),
  output: fields({
    deliveries: whole.describe('How many are sent again.'),
    notes: z.array(text).describe('Where an endpoint is disabled, or fails and is tried with one event first.'),
  }),
  acts: { destructive: true, idempotent: false },
  answer: async ({ id }, desk) => {
    const { store } = desk
    const { retry } = actionsOf(desk)
    const [row] = await store.deliveries([id])
    const rows = row === undefined ? (await store.deliveryPage({ eventId: id, limit: MOST_ROWS })).items : [row]
    const names = [...new Set(rows.map(({ subscription }) => subscription))]
    const deliveries = await retry(id)
    const { daemon } = await desk.status()
    const notes = [...(daemon === null ? [UNSENT] : []), ...retryNotes(await store.endpoints(), names).map(asStarted)]
    return {
      lead: [
        deliveries === 1 ? 'One delivery is sent again.' : `${deliveries} deliveries are sent again.`,
        ...(daemon === null ? [UNSENT] : []),
      ],
      data: [
        ...(names.length === 0 ? [] : [dataLine(`to ${names.join(', ')}`)]),
        ...notes.map((note) => dataLine(note)),
      ],
      structured: { deliveries, notes },
    }
  },
})
