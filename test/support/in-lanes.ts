/** Does the work for each, `atOnce` of them under way at any time. */
export async function inLanes<Item>(
  all: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let nth = next++; nth < all.length; nth = next++) await work(all[nth] as Item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
