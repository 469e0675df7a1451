/** An error for the log, without its own properties: drivers put statements and parameters there. */
export interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

const MAX_CAUSES = 5;
const MAX_TEXT = 4000;

/** Any thrown value as log fields, with up to 5 causes. */
export function errorFields(thrown: unknown, causesLeft = MAX_CAUSES): ErrorFields {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) {
    return { type: typeof thrown, message: String(thrown).slice(0, MAX_TEXT) };
  }
  const error = thrown as Error & { readonly code?: unknown };
  return {
    type: error.name,
    message: error.message.slice(0, MAX_TEXT),
    ...(typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack.slice(0, MAX_TEXT) }),
    ...(error.cause === undefined || causesLeft === 0 ? {} : { cause: errorFields(error.cause, causesLeft - 1) }),
  };
}
