/** Longest `email` accepted, in characters (decisions 1.3): whether it is an address is the verdict's business. */
export const MAX_EMAIL_LENGTH = 1024;
