import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sampleBatch } from '../sample-event.ts'
import { status } from '../scripted-receiver.ts'
import { NEVER, scripted, senderTo } from './sending.ts'

const AnswerKept = z.object({ answer: z.string() })

function unit(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

describe('an answer that is kept holds', () => {
  const ODD = 'päss/w0rd+<a&b> "c\\d"'
  const named: Readonly<Record<string, string>> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    ä: 'auml',
    '/': 'sol',
  }
  it.each<[string, (secret: string) => string]>([
    ['JSON', (secret) => JSON.stringify(secret)],
    [
      'JSON as PHP and Rails write it',
      (secret) => JSON.stringify(secret).replaceAll('/', '\\/').replaceAll('<', '\\u003c'),
    ],
    [
      'JSON in ASCII, in capitals',
      (secret) => JSON.stringify(secret).replaceAll(/[^ -~]|[/&+]/g, (each) => unit(each).toUpperCase()),
    ],
    ['JSON, each character escaped', (secret) => secret.replaceAll(/[^]/g, unit)],
    [
      'JSON, every other character escaped',
      (secret) => secret.replaceAll(/([^])[^"\\]/g, (pair, each: string) => unit(each) + pair.slice(1)),
    ],
    [
      'JSON within JSON within JSON',
      (secret) => JSON.stringify(JSON.stringify(JSON.stringify(secret).replaceAll('/', '\\/'))),
    ],
    ['a URL', encodeURIComponent],
    [
      'a URL, in small letters',
      (secret) => encodeURIComponent(secret).replaceAll(/%../g, (each) => each.toLowerCase()),
    ],
    ['a URL, each byte escaped', (secret) => Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&')],
    ['a URL, within a URL', (secret) => encodeURIComponent(encodeURIComponent(secret))],
    ['a URL, in part', (secret) => secret.replaceAll('/', '%2F').replaceAll('"', '%22')],
    ['a form', (secret) => new URLSearchParams({ secret }).toString().slice('secret='.length)],
    ['a form that was read as a URL', (secret) => secret.replaceAll('+', ' ')],
    ['the script of a page', (secret) => secret.replaceAll(/[^\w]/g, (each) => unit(each).replace('\\', '%'))],
    ['HTML with names', (secret) => secret.replaceAll(/[&<>"ä/]/g, (each) => `&${named[each] ?? ''};`)],
    ['HTML with numbers', (secret) => secret.replaceAll(/[&<>"/]/g, (each) => `&#${each.charCodeAt(0)};`)],
    [
      'HTML with hexadecimal numbers',
      (secret) => secret.replaceAll(/\W/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`),
    ],
    [
      'HTML within JSON',
      (secret) => JSON.stringify(secret.replaceAll('&', '&amp;').replaceAll('/', '&#x2F;')).replaceAll('&', '\\u0026'),
    ],
    ['Markdown', (secret) => secret.replaceAll(/[^\wä ]/g, String.raw`\$&`)],
    ['base64', (secret) => Buffer.from(secret).toString('base64')],
    ['base64 after one byte', (secret) => Buffer.from(`:${secret}`).toString('base64').slice(2)],
    ['base64 after two bytes', (secret) => Buffer.from(`::${secret}`).toString('base64url').slice(3)],
  ])('no secret in the escapes of %s', async (_, escaped) => {
    const receiver = await scripted()
    const others = { secrets: () => [ODD] }
    const sender = senderTo(`http://127.0.0.1:${receiver.port}/hooks`, {}, others)
    receiver.answer = status(500, {}, `you sent ${escaped(ODD)} to logistics`)
    const { answer } = AnswerKept.parse(await sender.send(sampleBatch(), NEVER))
    expect(answer).toMatch(/^you sent .{0,12}\[redacted\].{0,12} to logistics$/)
    receiver.answer = status(500, {}, 'z'.repeat(16 * 1024 - 40) + escaped(ODD.repeat(2)))
    const cut = AnswerKept.parse(await sender.send(sampleBatch(), NEVER)).answer
    expect(cut.slice(-60)).toMatch(/^z+.{0,8}(\[redacted\])+.{0,18}$/)
  })

  it('every text that only looks like a secret', async () => {
    const receiver = await scripted()
    const sender = senderTo(
      `http://127.0.0.1:${receiver.port}/hooks`,
      {},
      { secrets: () => ['test', 'a/b', 'c0de', 'day&night'] },
    )
    const body =
      '{"latest": "contest", "path": "a\\/b", "n": "\\u0063ode", "at": "100%25", "dayandnight": "day and night"}'
    receiver.answer = status(500, {}, body)
    expect(await sender.send(sampleBatch(), NEVER)).toHaveProperty('answer', body)
  })

  it('a hostile answer costs no time', async () => {
    const receiver = await scripted()
    const secrets = Array.from({ length: 1_000 }, (_, index) => `https://hooks.example/services/${index}`)
    const sender = senderTo(`http://127.0.0.1:${receiver.port}/hooks`, {}, { secrets: () => secrets })
    for (const piece of ['\\', '%', '&', '\\u00', '%25', '&amp;', '\\/', 'https://hooks.example/services/']) {
      receiver.answer = status(500, {}, piece.repeat(16 * 1024).slice(0, 16 * 1024))
      expect(AnswerKept.parse(await sender.send(sampleBatch(), NEVER)).answer.includes(piece.repeat(100))).toBe(true)
    }
  })
})
