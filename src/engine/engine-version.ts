/**
 * Stored with the facts of every check. Raised when facts come to mean something else, so that those of an older engine
 * can be told apart. 1: a refusal was a missing mailbox by its code alone. 0 is no version of ours: it marks results that were recorded before reasons were kept.
 */
export const ENGINE_VERSION = 2;
