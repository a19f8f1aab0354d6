import { z } from 'zod'
import { section } from './section.ts'
import { byDefault, required } from './shape.ts'
import { timeZone } from './time-zone.ts'
import { value } from './value.ts'

const ADDRESS = 'must be a mail address such as ap@example.com'

/** One mailbox, bare: no display name, nothing that could begin another header or address. */
export const mailAddress = z
  .string({ error: ADDRESS })
  .max(254, ADDRESS)
  .regex(/^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u, ADDRESS)

const TIME = 'must be a time of day such as "08:00"'

/** Minutes since midnight. */
const timeOfDay: z.ZodType<number> = z
  .string({ error: TIME })
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME)
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))

export const digest = section({
  at: required(value(timeOfDay), 'The local time of the mail.'),
  time_zone: byDefault(value(timeZone), 'UTC', 'IANA time zone of `at`.'),
})

const SERVER =
  'must be a mail server such as smtps://user:password@mail.example:465, the password percent-encoded (`#` is %23)'

/** smtp:// (STARTTLS where the server offers it) or smtps://. */
export const smtpUrl: z.ZodType<string> = z.string({ error: SERVER }).transform((text, context) => {
  const url = URL.parse(text)
  if (url !== null && isServer(url)) return text
  context.addIssue(SERVER)
  return z.NEVER
})

/** A `#`, `/` or `?` of a password that is not percent-encoded would end the host: refused, not misread. */
function isServer({ protocol, hostname, pathname, search, hash, port, username, password }: URL): boolean {
  const isPlain = /^\/?$/.test(pathname) && search === '' && hash === ''
  return (
    /^smtps?:$/.test(protocol) && hostname !== '' && isPlain && port !== '0' && (username !== '' || password === '')
  )
}
