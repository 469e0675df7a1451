/** Something a person can act on: its message is printed as it is, without a stack. */
export class Trouble extends Error {
  /** @param {string} message @param {{ log?: string }} [more] `log`: a file whose last lines tell why */
  constructor(message, more = {}) {
    super(message);
    this.name = 'Trouble';
    this.log = more.log;
  }
}
