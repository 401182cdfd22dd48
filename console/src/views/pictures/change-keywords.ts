import { ask, requestFor } from '../../api/call.ts';
import { AtOnce } from '../../parts/at-once.ts';

const changing = new AtOnce(3);

/** Changes the keywords of many pictures, each from its present ones. Fails with the first failure. */
export async function changeKeywords(
  ids: Iterable<string>,
  change: (keywords: readonly string[]) => readonly string[],
  done: (count: number) => void = () => {},
): Promise<void> {
  let count = 0;
  const work = async (image_id: string): Promise<void> => {
    const { image } = await ask(requestFor('enginequery', 'GetImageById', { image_id }));
    const values = { image_id, keywords: change(image.keywords) };
    await ask(requestFor('enginemodify', 'SetKeywords', values));
    done(++count);
  };
  await Promise.all(Array.from(ids, (id) => changing.run(() => work(id))));
}
