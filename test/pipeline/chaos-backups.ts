import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Workplace } from '../support/shipbell.ts'
import type { FaultyReceiver } from './faulty-receiver.ts'

export interface TakenBackup {
  readonly file: string
  readonly code: number | null
  /** What the command printed: the document, or why there is no backup. */
  readonly said: string
  readonly seconds: number
  /** By path, what the receiver had confirmed before the command began, in order. */
  readonly before: Told
  /** The same once the command had ended. */
  readonly after: Told
  /** Deliveries that kills had cut by then. */
  readonly cut: number
}

type Told = ReadonlyMap<string, ReadonlySet<string>>

interface Scene {
  readonly work: Workplace
  readonly receiver: FaultyReceiver
  readonly kills: { readonly underWay: number }
}

/** Backs up by the command, each `everyMs`, one at a time, until it is told to stop. */
export async function takeBackups(
  { work, receiver, kills }: Scene,
  everyMs: number,
  stop: AbortSignal,
): Promise<readonly TakenBackup[]> {
  const taken: TakenBackup[] = []
  let due = performance.now()
  for (;;) {
    due = Math.max(due + everyMs, performance.now())
    await sleep(Math.max(0, due - performance.now()))
    if (stop.aborted) return taken
    const name = `backup-${taken.length}.db`
    const before = toldBy(receiver)
    const beganAt = performance.now()
    const { code, stdout, stderr } = await work.run('backup', name, '--json')
    const seconds = (performance.now() - beganAt) / 1_000
    const file = path.join(work.folder, name)
    taken.push({ file, code, said: stdout + stderr, seconds, before, after: toldBy(receiver), cut: kills.underWay })
  }
}

function toldBy({ taken }: FaultyReceiver): Told {
  return new Map([...taken].map(([url, ids]) => [url.slice(1), new Set(ids)]))
}
