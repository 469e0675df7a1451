/**
 * Waits for all of them, also where one fails: nothing goes on behind what is said last. Throws what the first threw.
 * @param {...any} works promises; what is left out may be `false`
 */
export async function allOf(...works) {
  const settled = await Promise.allSettled(works);
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map(({ value }) => value);
}
