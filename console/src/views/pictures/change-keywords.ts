import { ask } from '../../api/call.ts';

/** Pictures in progress. */
const AT_ONCE = 3;

/**
 * Changes the keywords of many pictures, each from its present ones. Fails with the first failure; pictures before it
 * are changed.
 */
export async function changeKeywords(
  ids: Iterable<string>,
  change: (keywords: readonly string[]) => readonly string[],
  done: (count: number) => void = () => {},
): Promise<void> {
  const line = ids[Symbol.iterator]();
  let count = 0;
  const work = async (): Promise<void> => {
    for (let next = line.next(); !next.done; next = line.next()) {
      const values = { image_id: next.value };
      const { image } = await ask({ family: 'enginequery', operation: 'GetImageById', values });
      const keywords = change(image.keywords);
      await ask({ family: 'enginemodify', operation: 'SetKeywords', values: { ...values, keywords } });
      done(++count);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
