/** Longest `email` accepted, in characters (decisions 1.3). The verdict says whether it is an address. */
export const MAX_EMAIL_LENGTH = 1024;
