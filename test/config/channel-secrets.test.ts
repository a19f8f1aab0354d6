import { describe, expect, it } from 'vitest'
import { webhookChannel } from '../support/webhook-channel.ts'

describe('of a webhook, what must not be shown', () => {
  it('is what came from variables, as it is and as a URL carries it', () => {
    const channel = webhookChannel({ url: 'https://erp.example/hooks/a%20b%2Fc', drawn: ['a b/c'] })
    expect(channel.hidden).toEqual(['a b/c', 'a%20b/c', 'a%20b%2Fc'])
  })

  it('is no host, and not the plain words of a path', () => {
    const channel = webhookChannel({
      url: 'https://erp.example:8443/hooks/order-events',
      drawn: ['erp.example', '8443'],
    })
    expect(channel.hidden).toEqual([])
  })

  it('is the path and the keys of a URL that came from a variable whole, and not its host', () => {
    const url = 'https://chat.example/services/T0123456/x?k=1'
    expect(webhookChannel({ url, drawn: [url] }).hidden).toEqual(['/services/T0123456/x?k=1', 'T0123456', 'T0123456'])
  })

  it('is total', () => {
    expect(webhookChannel({ drawn: ['', '\ud800'] }).hidden).toEqual(['\ud800', '%EF%BF%BD', '%EF%BF%BD'])
  })
})
