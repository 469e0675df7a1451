/** The name does not begin as others do: the link is for whoever signs in next, and stays when somebody signs out. */
const NAME = 'link';

/** Keeps the token of a one-time link in this tab while somebody signs in, so that no address of a page has it. */
export function holdLink(token: string): void {
  sessionStorage.setItem(NAME, token);
}

/** The token that waits for a sign-in. */
export function heldLink(): string | null {
  return sessionStorage.getItem(NAME);
}

export function dropHeldLink(): void {
  sessionStorage.removeItem(NAME);
}
