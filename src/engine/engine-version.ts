/**
 * Stored with the facts of every check. Raise it when facts change their meaning, so that older facts can be told
 * apart.
 * - 0: no engine; marks results recorded before reasons were stored.
 * - 1: judged a refusal as a missing mailbox by its code alone.
 */
export const ENGINE_VERSION = 2;
