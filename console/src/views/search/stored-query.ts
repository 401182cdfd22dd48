import { CallError, thumbnailOf } from '../../api/call.ts';
import { useAnswer, type Answering } from '../../parts/answer.ts';

/** The preview of a stored picture as a query, for types whose references are no queries. @param id  none where empty */
export function useStoredQuery(id: string): Answering<File> {
  const { value, ...rest } = useAnswer(id || undefined, async (signal) => {
    const response = await fetch(thumbnailOf(id), { signal });
    const jpeg = await response.blob();
    if (jpeg.size === 0) throw new CallError(0, `No preview of ${id} is kept, so it cannot be a query.`);
    return { id, file: new File([jpeg], id, { type: 'image/jpeg' }) };
  });
  return { ...rest, ...(value?.id === id && { value: value.file }) };
}
