import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BareDone, BareMessage } from './burst/bare-client.ts'
import type { BurstMessage, BurstSeen } from './burst/burst-peer.ts'
import type { PeerMessage } from './desk/desk-peer.ts'
import type { Asked } from './footprint/paper-peer.ts'

export interface Peer extends Disposable {
  readonly url: string
}

export interface ChangingPeer extends Peer {
  /** Milliseconds from the answer that showed a change to the receiver having its event, of those that came since the last call. */
  latencies(): Promise<readonly number[]>
}

export interface PaperPeer extends Peer {
  asked(): Promise<Asked>
}

export interface DeskPeer extends Peer {
  /** Whether the busy account's page changes from now on. Resolves to the latencies since the last call, as those of `ChangingPeer`. */
  ask(message: PeerMessage): Promise<readonly number[]>
}

export interface BurstPeer extends Peer {
  tell(message: BurstMessage): Promise<BurstSeen>
}

export interface SlowReceiver extends Peer {
  readonly pid: number
  /** How many answers it has given. */
  answered(): Promise<number>
}

export interface BareClient extends Disposable {
  readonly pid: number
  does(message: BareMessage): Promise<BareDone>
}

/** Starts the other side of a benchmark, holding `shipments` shipments. */
export async function startPeer(shipments: number): Promise<Peer> {
  const child = start('./peer.ts', [shipments])
  return { url: await urlOf(child), [Symbol.dispose]: () => child.disconnect() }
}

/** Starts a platform with one page of `shipments`, of which `changes` differ each time that it is read. */
export async function startChangingPeer(shipments: number, changes: number): Promise<ChangingPeer> {
  const child = start('./changing-peer.ts', [shipments, changes])
  return {
    url: await urlOf(child),
    latencies: async () => {
      child.send('latencies')
      const [latencies]: (readonly number[])[] = await once(child, 'message')
      return latencies ?? []
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

/** Starts a platform of so many shipments, each unlike the others, of which `live` are tracked. */
export async function startPaperPeer(shipments: number, live: number): Promise<PaperPeer> {
  const child = start('./footprint/paper-peer.ts', [shipments, live])
  return {
    url: await urlOf(child),
    asked: async () => {
      child.send('asked')
      const [asked]: Asked[] = await once(child, 'message')
      if (asked === undefined) throw new Error('the platform did not say what it was asked')
      return asked
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

/** Starts the platform of the desk's accounts, as it was at `now`. */
export async function startDeskPeer(shipments: number, live: number, now: number): Promise<DeskPeer> {
  const child = start('./desk/desk-peer.ts', [shipments, live, now])
  return {
    url: await urlOf(child),
    ask: async (message) => {
      child.send(message)
      const [latencies]: (readonly number[])[] = await once(child, 'message')
      return latencies ?? []
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

/** Starts a platform of so many shipments whose changes each pass shows anew, and the receiver of what is told of them. */
export async function startBurstPeer(shipments: number): Promise<BurstPeer> {
  const child = start('./burst/burst-peer.ts', [shipments])
  return {
    url: await urlOf(child),
    tell: async (message) => {
      child.send(message)
      const [seen]: BurstSeen[] = await once(child, 'message')
      if (seen === undefined) throw new Error('the platform did not say what it saw')
      return seen
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

/** Starts a receiver that takes so long for each answer. */
export async function startSlowReceiver(delayMs: number): Promise<SlowReceiver> {
  const child = start('./scale/slow-receiver.ts', [delayMs])
  return {
    url: await urlOf(child),
    pid: child.pid ?? 0,
    answered: async () => {
      child.send('answered')
      const [answered]: number[] = await once(child, 'message')
      return answered ?? 0
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

/** Starts who does the bare side's work at `url`. */
export async function startBareClient(url: string): Promise<BareClient> {
  const child = start('./burst/bare-client.ts', [url])
  await once(child, 'message')
  return {
    pid: child.pid ?? 0,
    does: async (message) => {
      child.send(message)
      const [done]: BareDone[] = await once(child, 'message')
      if (done === undefined) throw new Error('the bare loop did not say what it took')
      return done
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}

function start(script: string, args: readonly (number | string)[]): ChildProcess {
  return fork(fileURLToPath(new URL(script, import.meta.url)), args.map(String))
}

async function urlOf(child: ChildProcess): Promise<string> {
  const [address]: { port: number }[] = await once(child, 'message')
  return `http://127.0.0.1:${address?.port}`
}
