import { parentPort } from 'node:worker_threads'
import { sift, type ToSift } from './sift.ts'

/* What the thread of `Sifter` runs. */

parentPort?.on('message', ({ id, body }: { readonly id: number; readonly body: ToSift }) => {
  const sifted = sift(body)
  parentPort?.postMessage({ id, sifted }, sifted.bytes === null ? [] : [sifted.bytes.buffer])
})
