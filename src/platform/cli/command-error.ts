/** A one-line error for the operator: what is wrong, the rule, and what to type instead. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
