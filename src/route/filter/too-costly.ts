/** An evaluation spent more than any sensible one: a record may be huge, and a loop in a loop multiplies. */
export class TooCostly extends RangeError {
  constructor() {
    super('It costs too much on this event: its loops meet a huge record, or multiply, or build a huge text or list.')
  }
}
