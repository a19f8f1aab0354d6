import { describeKeptStores } from './kept-store-life.ts'

describeKeptStores('')
