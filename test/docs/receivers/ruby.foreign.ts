import { tryReceiver } from './try-receiver.ts'

tryReceiver('ruby')
