import type { ChannelSettings } from '../../../../src/model/subscription.ts'
import { hang, ScriptedReceiver, status } from '../../scripted-receiver.ts'
import type { FarSide, Manner } from './channel-case.ts'

export interface HttpFarSide {
  readonly manner: Manner
  readonly secret: string
  /** The body that accepts. */
  readonly accepted: string
  readonly settings: (url: string) => ChannelSettings
}

/** An HTTP endpoint as a far side. */
export async function httpFarSide({ manner, secret, accepted, settings }: HttpFarSide): Promise<FarSide> {
  const receiver = await ScriptedReceiver.start(answerOf(manner, secret, accepted))
  return {
    settings: settings(receiver.url),
    arrived: async () => await receiver.received(1),
    get arrivals() {
      return receiver.requests.length
    },
    [Symbol.asyncDispose]: async () => await receiver[Symbol.asyncDispose](),
  }
}

function answerOf(manner: Manner, secret: string, accepted: string): ScriptedReceiver['answer'] {
  switch (manner) {
    case 'accepts':
      return status(200, {}, accepted)
    case 'refuses':
      return status(500, {}, JSON.stringify({ detail: `You sent ${secret} to me` }))
    case 'hangs':
      return hang
    default:
      return manner satisfies never
  }
}
