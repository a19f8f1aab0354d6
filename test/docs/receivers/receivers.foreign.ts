import { LANGUAGES, type Language } from './guide.ts'
import { healFromDaemon } from './heal-receiver.ts'
import { tryReceiver } from './try-receiver.ts'

/** One that counts by ranges, and one that does by SQL. */
const HEAL_FROM_DAEMON: readonly Language[] = ['node', 'python']

for (const language of LANGUAGES) tryReceiver(language)
for (const language of HEAL_FROM_DAEMON) healFromDaemon(language)
