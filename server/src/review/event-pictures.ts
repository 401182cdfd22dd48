import type { ReviewedEvent } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Events } from '../events/events.ts';
import { base64, bytesIn } from '../parameters/base64.ts';

type Pictures = NonNullable<ReviewedEvent['pictures']>;

/** Events with the thumbnails of both pictures, as far as they are still known. */
export async function withPictures(
  application: Application,
  events: readonly ReviewedEvent[],
  searches: Pick<Events, 'searchesOf' | 'watchedPicture'>,
): Promise<ReviewedEvent[]> {
  const stored = async (id: string, of = application): Promise<string | undefined> => {
    const jpeg = await of.references.thumbnail(id).catch(() => undefined); // it may have been deleted
    return jpeg && base64(jpeg);
  };
  /** That of the saved search, unless it was replaced. */
  const watchedBy = async ({ search_id, watched, hash }: ReviewedEvent): Promise<string | undefined> => {
    if (hash) return undefined;
    const saved = await (await searches.searchesOf(application)).get(search_id).catch(() => undefined);
    const name = saved?.of ?? (saved?.dna && application.nameOf(bytesIn(saved.dna)));
    return name === watched ? saved!.thumbnail : stored(watched);
  };
  const picture = (thumbnail: string | undefined): Pictures['watched'] =>
    thumbnail === undefined ? {} : { thumbnail };
  const elsewhere = async ({ id }: ReviewedEvent): Promise<string | undefined> => {
    const { application: of, image } = (await searches.watchedPicture(application, id)) ?? {};
    return of && stored(image!, of);
  };
  return Promise.all(
    events.map(async (event) => {
      const watched = await (event.watched_in ? elsewhere(event) : watchedBy(event));
      return { ...event, pictures: { watched: picture(watched), found: picture(await stored(event.image_id)) } };
    }),
  );
}
