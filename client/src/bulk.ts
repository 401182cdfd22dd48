/**
 * Works on items side by side and yields each outcome as it is there, in no order.
 * Nothing is taken from `items` before there is room for it; leaving the loop takes no further ones, and waits for those
 * under way. `work` must not reject: what can fail is an outcome.
 * @param parallel  how many at a time, at least 1
 */
export async function* sideBySide<Item, Outcome>(
  items: AsyncIterable<Item> | Iterable<Item>,
  parallel: number,
  work: (item: Item) => Promise<Outcome>,
): AsyncGenerator<Outcome, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const underWay = new Map<object, Promise<{ token: object; outcome: Outcome }>>();
  let more = true;
  try {
    while (more || underWay.size > 0) {
      while (more && underWay.size < parallel) {
        const next = await source.next();
        if (next.done) more = false;
        else {
          const token = {};
          underWay.set(
            token,
            work(next.value).then((outcome) => ({ token, outcome })),
          );
        }
      }
      if (underWay.size === 0) break;
      const { token, outcome } = await Promise.race(underWay.values());
      underWay.delete(token);
      yield outcome;
    }
  } finally {
    await Promise.allSettled(underWay.values());
    if (more) await source.return?.();
  }
}

/** The same with the outcomes in the order of the items. */
export async function* inOrder<Item, Outcome>(
  items: AsyncIterable<Item> | Iterable<Item>,
  parallel: number,
  work: (item: Item) => Promise<Outcome>,
): AsyncGenerator<Outcome, void, undefined> {
  const underWay: Promise<Outcome>[] = [];
  try {
    for await (const item of items) {
      underWay.push(work(item));
      if (underWay.length >= parallel) yield await underWay.shift()!;
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  } finally {
    await Promise.allSettled(underWay);
  }
}
