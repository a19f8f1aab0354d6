import {
  compareClocks,
  compareMoments,
  compareNames,
  compareOmitted,
  compareRecordDates,
  DIGEST,
  EMAIL,
  EVENTS,
  OTHER_CHATS,
} from './told-compared.ts'

compareMoments(OTHER_CHATS)
compareNames([...OTHER_CHATS, EMAIL])
compareRecordDates([...OTHER_CHATS, EMAIL, DIGEST])
compareOmitted([...OTHER_CHATS, EMAIL, DIGEST])
compareClocks([...OTHER_CHATS, EMAIL], EVENTS)
