import { describeKeptStores } from './kept-store-life.ts'

describeKeptStores('')
describeKeptStores(', moved to a database')
