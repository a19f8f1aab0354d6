import { readFileSync, statSync } from 'node:fs'
import type { Clock } from '../../clock.ts'
import { ownLimitOf } from '../own-limits.ts'

const LOOK_EVERY_MS = 1_000

export interface WatchedFileOptions<T> {
  readonly path: string
  readonly parse: (text: string) => T
  readonly clock: Pick<Clock, 'now'>
}

/**
 * What a small file of the system says, read again once it has changed. A file that cannot be read says nothing, unless no
 * descriptor is left for it: then it says what it said, and is read at the next look. It is read
 * synchronously: the threads of the pool may be busy with other things.
 */
export class WatchedFile<T> {
  readonly #options: WatchedFileOptions<T>
  #lookedAt: number | null = null
  #version: string | null = null
  #value: T

  constructor(options: WatchedFileOptions<T>) {
    this.#options = options
    this.#value = options.parse('')
  }

  get value(): T {
    const now = this.#options.clock.now()
    if (this.#lookedAt === null || now < this.#lookedAt || now - this.#lookedAt >= LOOK_EVERY_MS) this.#look(now)
    return this.#value
  }

  #look(now: number): void {
    const { path, parse } = this.#options
    this.#lookedAt = now
    const version = versionOf(path)
    if (version === this.#version) return
    const text = textOf(path)
    if (text === null) return
    this.#version = version
    this.#value = parse(text)
  }
}

/** The version of whatever is at the path now: it may be a link, and be replaced. null: nothing that can be read. */
function versionOf(path: string): string | null {
  try {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true })
    return `${dev} ${ino} ${size} ${mtimeNs}`
  } catch {
    return null
  }
}

/** The text of a file; null: it could not be read for want of a descriptor. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return ownLimitOf(error) === null ? '' : null
  }
}
