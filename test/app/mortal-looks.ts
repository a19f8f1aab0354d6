import { parentPort } from 'node:worker_threads'
import type { ToThread } from '../../src/app/desk-thread/messages.ts'

await import('../../src/app/desk-thread/serve-looks.ts')

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'look' && message.looking.url.endsWith('?die')) throw new Error('dead')
})
