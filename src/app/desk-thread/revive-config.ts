import type { Config } from '../../config/config.ts'
import type { Filter, Subscription } from '../../model/subscription.ts'
import type { MessageTemplates } from '../../model/message-template.ts'
import { OperatorBody } from '../../message/template/body-template.ts'
import { OperatorTemplate } from '../../message/template/operator-template.ts'
import { compileFilter } from '../../route/filter/compile-filter.ts'

/** Gives a configuration back what does not pass between threads: filters and templates are compiled from their texts. */
export function reviveConfig(config: Config): Config {
  return { ...config, subscriptions: config.subscriptions.map(reviveSubscription) }
}

export function reviveSubscription(subscription: Subscription): Subscription {
  const { channel, filter } = subscription
  const told = 'templates' in channel ? { ...channel, templates: reviveTemplates(channel.templates) } : channel
  const revived =
    'body' in told && told.body !== undefined
      ? { ...told, body: { ...told.body, template: new OperatorBody(told.body.template) } }
      : told
  return { ...subscription, filter: filter === null ? null : reviveFilter(filter), channel: revived }
}

/** The text was judged when the configuration was loaded. */
function reviveFilter({ expression }: Filter): Filter | null {
  const compiled = compileFilter(expression)
  return compiled.kind === 'filter' ? compiled.filter : null
}

function reviveTemplates(templates: MessageTemplates): MessageTemplates {
  return new Map([...templates].map(([type, { file, source }]) => [type, new OperatorTemplate(file, source)]))
}
