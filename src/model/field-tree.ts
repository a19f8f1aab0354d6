/** The fields that the platform's interface describes of a value; what it says of their values is left out. */
export interface FieldTree {
  readonly fields: ReadonlyMap<string, FieldTree>
  /** The fields of an array's elements; null where it is no array. */
  readonly elements: FieldTree | null
}
