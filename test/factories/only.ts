/** A test double that has only what a test needs of it. */
export const only = <T>(part: Partial<NoInfer<T>>): T => part as T;
