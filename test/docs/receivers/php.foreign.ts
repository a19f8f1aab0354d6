import { tryReceiver } from './try-receiver.ts'

tryReceiver('php')
