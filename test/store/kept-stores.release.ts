import { keptVersions } from './kept-stage.ts'
import { describeKeptStores } from './kept-store-life.ts'

// The others are in `kept-stores.long.ts`.
describeKeptStores(', moved to a database', keptVersions().slice(0, -1))
describeKeptStores(', moved to a database and back', keptVersions().slice(1))
