import { describeClockChanges } from './digest-desk.ts'

describeClockChanges([
  ['America/New_York', '01:30', '2026-10-30T12:00:00Z', ['10-31T05:30', '11-01T05:30', '11-02T06:30']],
  ['America/New_York', '02:00', '2027-03-12T12:00:00Z', ['03-13T07:00', '03-14T07:00', '03-15T06:00']],
  ['Australia/Lord_Howe', '01:45', '2027-04-01T20:00:00Z', ['04-02T14:45', '04-03T14:45', '04-04T15:15']],
])
