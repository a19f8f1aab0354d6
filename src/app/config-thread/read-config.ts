import { bringDisposableStacks } from '../../disposable-stacks.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { readWatched, type WatchedFiles } from '../../config/watched-config.ts'

bringDisposableStacks()

/** The entry of the thread, which reads one configuration and ends. */
const files: WatchedFiles = workerData
parentPort?.postMessage(readWatched(files), [])
