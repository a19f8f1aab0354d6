import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** IPv4 and IPv6 addresses, and host names, which are aliases. A function is asked afresh for every question, from 1. */
export type Records = readonly string[] | ((question: number) => readonly string[])

const TYPES = { 1: isIPv4, 28: isIPv6 } as const
const CNAME = 5
const NOERROR = 0
const SERVFAIL = 2
const NXDOMAIN = 3

interface Question {
  readonly name: string
  readonly type: number
  /** The question as it was asked. */
  readonly section: Buffer
}

/** A name server on loopback that answers as a test says. */
export class LoopbackDns implements AsyncDisposable {
  readonly zone = new Map<string, Records>()
  /** Names that are not answered. */
  readonly silent = new Set<string>()
  /** The family whose questions are not answered. */
  silentFamily: 4 | 6 | null = null
  /** Names that it says it cannot find out. */
  readonly broken = new Set<string>()
  /** Of records, in seconds. */
  ttl = 0
  /** Names asked for by IPv4 question, which every look-up puts once. */
  readonly asked: string[] = []
  /** Every name that a question came for, answered or not. */
  readonly heardOf = new Set<string>()
  /** Questions that came. */
  heard = 0
  /** Where it listens. */
  readonly server: string
  readonly #socket: Socket
  readonly #resolver = new Resolver()

  private constructor(socket: Socket) {
    this.#socket = socket
    this.server = `127.0.0.1:${socket.address().port}`
    this.#resolver.setServers([this.server])
    socket.on('message', (message, { port, address }) => {
      const answer = this.#answer(message)
      if (answer !== null) socket.send(answer, port, address)
    })
  }

  static async start(): Promise<LoopbackDns> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new LoopbackDns(socket)
  }

  /** Every address of a name, by questions to this server. */
  readonly resolve = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const [v4, v6] = await Promise.allSettled([this.#resolver.resolve4(hostname), this.#resolver.resolve6(hostname)])
    const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason
    return found.map((address) => ({ address, family: isIP(address) }))
  }

  #answer(message: Buffer): Buffer | null {
    const question = readQuestion(message)
    this.heard += 1
    this.heardOf.add(question.name)
    if (question.type === 1) this.asked.push(question.name)
    if (this.#isSilent(question)) return null
    const answers = this.#records(question.name, question.type)
    const header = Buffer.alloc(12)
    message.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8580 | this.#status(question.name), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    return Buffer.concat([header, question.section, ...answers])
  }

  #isSilent({ name, type }: Question): boolean {
    return this.silent.has(name) || type === (this.silentFamily === 4 ? 1 : this.silentFamily === 6 ? 28 : null)
  }

  #status(name: string): number {
    if (this.broken.has(name)) return SERVFAIL
    return this.zone.has(name) ? NOERROR : NXDOMAIN
  }

  #records(name: string, type: number): readonly Buffer[] {
    const records = this.zone.get(name) ?? []
    const question = this.asked.filter((each) => each === name).length
    return (typeof records === 'function' ? records(question) : records).flatMap((value) => {
      if (isIP(value) === 0) return [this.#record(name, CNAME, encodeName(value)), ...this.#records(value, type)]
      const isWanted = type === 1 || type === 28 ? TYPES[type](value) : false
      return isWanted ? [this.#record(name, type, Buffer.from(ipaddr.parse(value).toByteArray()))] : []
    })
  }

  #record(name: string, type: number, data: Buffer): Buffer {
    const fixed = Buffer.alloc(10)
    fixed.writeUInt16BE(type, 0)
    fixed.writeUInt16BE(1, 2)
    fixed.writeUInt32BE(this.ttl, 4)
    fixed.writeUInt16BE(data.length, 8)
    return Buffer.concat([encodeName(name), fixed, data])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#resolver.cancel()
    this.#socket.close()
    await once(this.#socket, 'close')
  }
}

function readQuestion(message: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = message.readUInt16BE(at + 1)
  return { name: labels.join('.').toLowerCase(), type, section: message.subarray(12, at + 5) }
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
