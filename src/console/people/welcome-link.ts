import { hashToken, newToken } from '../session/token.js';

/** A one-time link. The token stands behind `#`: browsers send that to nobody, so no log and no `Referer` holds it. */
export interface WelcomeLink {
  readonly url: string;
  /** Hex. */
  readonly tokenSha256: string;
}

/** @param origin of the console, as the person's browser reaches it */
export function newWelcomeLink(origin: string): WelcomeLink {
  const token = newToken();
  return { url: `${origin}/welcome#token=${token}`, tokenSha256: hashToken(token)! };
}
