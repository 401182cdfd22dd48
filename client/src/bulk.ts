/**
 * Works on items in parallel and yields each outcome as soon as it is known, in no order. Takes an item from `items`
 * only when a worker is free. Leaving the loop takes no further items and waits for those in progress. `work` must not
 * reject: a failure is an outcome.
 * @param parallel  the number of concurrent items, at least 1
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

/** The same, with the outcomes in the order of the items. */
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
