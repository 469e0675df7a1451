/** Why a command was not done, in one line for who typed it: what is wrong, the rule, and what to type instead. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
