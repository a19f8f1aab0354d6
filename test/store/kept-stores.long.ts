import { keptVersions } from './kept-stage.ts'
import { describeKeptStores } from './kept-store-life.ts'

// What is moved has the newest schema by then, whatever it had: a release tries the others.
describeKeptStores(', moved to a database', keptVersions().slice(-1))
describeKeptStores(', moved to a database and back', keptVersions().slice(0, 1))
