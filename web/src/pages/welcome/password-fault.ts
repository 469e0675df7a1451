/** What is wrong with a new password, in words; null: nothing. */
export function passwordFault(password: string, repeated: string): string | null {
  if ([...password].length < 12) return 'The password needs at least 12 characters.';
  return password === repeated ? null : 'The two are not the same.';
}
