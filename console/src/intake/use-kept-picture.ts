import { useEffect, useState } from 'preact/hooks';
import { keptPicture } from './kept-pictures.ts';

/** The kept picture with this id; null if this browser no longer has it, undefined meanwhile and without an id. */
export function useKeptPicture(id: string): File | null | undefined {
  const [found, setFound] = useState<{ id: string; file: File | null }>();
  useEffect(() => {
    let current = true;
    if (id) void keptPicture(id).then((file) => current && setFound({ id, file: file ?? null }));
    return () => void (current = false);
  }, [id]);
  return found?.id === id ? found.file : undefined;
}
