import { describe, expect, it } from 'vitest'
import { MailDesk } from './mail-desk.ts'
import { header } from './read-mail.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const PARIS = { atMinutes: 480, timeZone: 'Europe/Paris' }

export async function desk(start: string, digest = PARIS): Promise<MailDesk> {
  return await MailDesk.open({ start, channel: { digest } })
}

/** How many events a mail tells, of its subject line. */
export function amount(mail: Parameters<typeof header>[0]): number {
  return Number(/(\d+) events?/.exec(header(mail, 'subject'))?.[1])
}

/** Time zone, hour of the digest, when the life begins, and when mails go until it ends, in UTC. */
type ClockChange = readonly [timeZone: string, time: string, start: string, expected: readonly string[]]

export function describeClockChanges(changes: readonly ClockChange[]): void {
  describe.each(changes)('when the clocks change in %s at %s', (timeZone, time, ...[start, expected]) => {
    it('there is one mail a day, and nothing is told twice or not at all', async () => {
      const atMinutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
      const at = await desk(start, { atMinutes, timeZone })
      const sent: string[] = []
      const end = Date.parse(`${start.slice(0, 4)}-${expected.at(-1) ?? ''}Z`)
      for (let now = at.clock.now(), emitted = 0; now <= end; now += 15 * MINUTE) {
        at.clock.jump(now)
        if (now % HOUR === 0 && now < end) emitted += (await at.ring()).length
        for (const mail of await at.deliver()) {
          sent.push(new Date(now).toISOString().slice(5, 16))
          emitted -= amount(mail)
        }
        if (now === end) expect(emitted).toBeLessThanOrEqual(1)
      }
      expect(sent).toEqual(expected)
    })
  })
}
