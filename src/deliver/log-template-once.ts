import type { Logger } from '../log.ts'
import type { MessageTemplate, TemplateFailure } from '../model/message-template.ts'

/** Logs the first failure of each template of a subscription: what fails once tends to fail on every event. */
export function logTemplateOnce(log: Logger, subscription: string): (failure: TemplateFailure) => void {
  const logged = new WeakSet<MessageTemplate>()
  return ({ template, type, reason }) => {
    if (logged.has(template)) return
    logged.add(template)
    log.warn({ subscription, type, error: reason, next: 'the built-in message is sent' }, 'template.failed')
  }
}
