import { describeKeptStores } from './kept-store-life.ts'

describeKeptStores(', moved to a database')
describeKeptStores(', moved to a database and back')
