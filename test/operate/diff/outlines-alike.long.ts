import { compareBodies, compareMessages, EVENTS, everyPair, KINDS } from './outlines-compared.ts'

const ALL = { events: EVENTS, pairing: everyPair }

compareMessages(KINDS, ALL)
compareBodies(ALL)
