/**
 * The stacks of resources that Node 22 lacks; brought where a thread of the program begins. They release what they hold in the opposite
 * order, go on where one of it fails, and throw the first failure, or a `SuppressedError` of several.
 */

type Release = () => unknown

class Releases {
  #waiting: Release[] = []
  disposed = false

  add(release: Release): void {
    if (this.disposed) throw new ReferenceError('These resources were released already.')
    this.#waiting.push(release)
  }

  take(): readonly Release[] {
    this.disposed = true
    const taken = this.#waiting.toReversed()
    this.#waiting = []
    return taken
  }
}

function failureOf(failures: readonly unknown[]): unknown {
  return failures.reduce((suppressed, error) => Object.assign(new Error(String(error)), { error, suppressed }))
}

class Stack implements DisposableStack {
  #releases = new Releases()
  readonly [Symbol.toStringTag] = 'DisposableStack'

  get disposed(): boolean {
    return this.#releases.disposed
  }

  use<T extends Disposable | null | undefined>(value: T): T {
    if (value !== null && value !== undefined) this.#releases.add(() => value[Symbol.dispose]())
    return value
  }

  adopt<T>(value: T, onDispose: (value: T) => void): T {
    this.#releases.add(() => onDispose(value))
    return value
  }

  defer(onDispose: () => void): void {
    this.#releases.add(onDispose)
  }

  move(): DisposableStack {
    const moved = new Stack()
    for (const release of this.#releases.take().toReversed()) moved.defer(() => void release())
    return moved
  }

  dispose(): void {
    const failures: unknown[] = []
    for (const release of this.#releases.take())
      try {
        release()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw failureOf(failures)
  }

  [Symbol.dispose](): void {
    this.dispose()
  }
}

class AsyncStack implements AsyncDisposableStack {
  #releases = new Releases()
  readonly [Symbol.toStringTag] = 'AsyncDisposableStack'

  get disposed(): boolean {
    return this.#releases.disposed
  }

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (value !== null && value !== undefined)
      this.#releases.add(() => (Symbol.asyncDispose in value ? value[Symbol.asyncDispose]() : value[Symbol.dispose]()))
    return value
  }

  adopt<T>(value: T, onDisposeAsync: (value: T) => PromiseLike<void> | void): T {
    this.#releases.add(() => onDisposeAsync(value))
    return value
  }

  defer(onDisposeAsync: () => PromiseLike<void> | void): void {
    this.#releases.add(onDisposeAsync)
  }

  move(): AsyncDisposableStack {
    const moved = new AsyncStack()
    for (const release of this.#releases.take().toReversed()) moved.defer(async () => void (await release()))
    return moved
  }

  async disposeAsync(): Promise<void> {
    const failures: unknown[] = []
    for (const release of this.#releases.take())
      try {
        await release()
      } catch (error) {
        failures.push(error)
      }
    if (failures.length > 0) throw failureOf(failures)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync()
  }
}

/** Call it before anything is opened. */
export function bringDisposableStacks(): void {
  if ('AsyncDisposableStack' in globalThis) return
  Object.assign(globalThis, { DisposableStack: Stack, AsyncDisposableStack: AsyncStack })
}
