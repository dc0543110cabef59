/** What cannot be answered, in one sentence for a person. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}
