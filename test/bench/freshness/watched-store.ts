import type { Store } from '../../../src/store/ports/store.ts'

/** The store, telling of each call. */
export function watchedStore(store: Store, beat: () => void): Store {
  return watched(store, beat)
}

function watched<T extends object>(target: T, beat: () => void): T {
  const parts = new Map<object, object>()
  return new Proxy(target, {
    get(owner, key, receiver) {
      const value: unknown = Reflect.get(owner, key, receiver)
      beat()
      if (typeof value !== 'object' || value === null) return value
      const part = parts.get(value) ?? watched(value, beat)
      parts.set(value, part)
      return part
    },
  })
}
