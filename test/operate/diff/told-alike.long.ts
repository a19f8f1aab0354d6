import { compareClocks, compareMoments, compareOmitted, DIGEST, EMAIL, EVENTS, OTHER_CHATS } from './told-compared.ts'

compareMoments(OTHER_CHATS)
compareOmitted([...OTHER_CHATS, EMAIL, DIGEST])
compareClocks([...OTHER_CHATS, EMAIL], EVENTS)
