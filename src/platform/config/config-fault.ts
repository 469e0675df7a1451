/** The environment is invalid. `lines`: one per fault, naming the variable and the rule, never the value. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}
