export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Operator {
  /** Runs one operator command to its end: `account`, `list`, `--json`. Throws when it takes longer than a minute. */
  run(...argv: string[]): Promise<CommandEnd>;
  /** Throws when what the commands left open would keep a process from ending. */
  stop(): Promise<void>;
}

/** `kept-operator.cjs`. */
interface OperatorProcess {
  run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnd>;
  rest(): Promise<void>;
  end(): void;
}

declare global {
  /** Of this process of jest, for all its files: `kept-environment.cjs`. */
  var operators: {
    readonly shared: OperatorProcess;
    readonly OperatorProcess: new (environment: NodeJS.ProcessEnv) => OperatorProcess;
  };
}

/**
 * Operator commands of the built product, as `runProcess(['dist/cli', …])` runs them, but all in one process, which the files
 * that one process of jest runs share. What is about the process of a command itself wants `runProcess`.
 * @param env added to a bare environment (PATH and HOME)
 */
export function startOperator(env: NodeJS.ProcessEnv): Operator {
  const { shared, OperatorProcess } = globalThis.operators;
  // Node reads such variables once, when it starts.
  const isForNode = Object.keys(env).some((name) => name.startsWith('NODE_'));
  const operator = isForNode ? new OperatorProcess(env) : shared;
  return {
    run: (...argv) => operator.run(argv, env),
    async stop() {
      await operator.rest();
      if (operator !== shared) operator.end();
    },
  };
}
