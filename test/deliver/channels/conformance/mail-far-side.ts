import { MailServer, type OnMail } from '../../../support/mail-server.ts'
import { emailChannel } from '../email/mailing.ts'
import type { FarSide, Manner } from './channel-case.ts'

/** A mail server as a far side. */
export async function mailFarSide(manner: Manner, password: string): Promise<FarSide> {
  const server = await MailServer.start({ allowInsecureAuth: true })
  const arrived = Promise.withResolvers<void>()
  const answer = answerOf(manner, password)
  server.onMail = async (mail, session) => {
    arrived.resolve()
    return await answer(mail, session)
  }
  return {
    settings: emailChannel({ server: server.url(`bell:${password}`), timeoutMs: 15_000 }),
    arrived: async () => await arrived.promise,
    get arrivals() {
      return server.connections
    },
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  }
}

function answerOf(manner: Manner, password: string): OnMail {
  switch (manner) {
    case 'accepts':
      return () => null
    case 'refuses':
      return () => `451 You sent ${password} to me`
    case 'hangs':
      return async () => await new Promise(() => undefined)
    default:
      return manner satisfies never
  }
}
