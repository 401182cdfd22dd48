import type { ReviewedEvent } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Events } from '../events/events.ts';
import { base64 } from './stored.ts';

type Pictures = NonNullable<ReviewedEvent['pictures']>;

/** Events with the thumbnails of both pictures and where these lie, as far as they are still known. */
export async function withPictures(
  application: Application,
  events: readonly ReviewedEvent[],
  searches: Pick<Events, 'searchesOf'>,
): Promise<ReviewedEvent[]> {
  const origins = await application.originsOf(events.flatMap(({ watched, image_id }) => [watched, image_id]));
  const stored = async (id: string): Promise<string | undefined> => {
    const jpeg = await application.references.thumbnail(id).catch(() => undefined); // it may have been deleted
    return jpeg && base64(jpeg);
  };
  /** That of the saved search, unless it was replaced. */
  const watchedBy = async ({ search_id, watched }: ReviewedEvent): Promise<string | undefined> => {
    const saved = await (await searches.searchesOf(application)).get(search_id).catch(() => undefined);
    const name = saved && (saved.of ?? application.nameOf(new Uint8Array(Buffer.from(saved.dna, 'base64'))));
    return name === watched ? saved!.thumbnail : stored(watched);
  };
  const picture = (id: string, thumbnail: string | undefined): Pictures['watched'] => {
    const origin = origins.get(id);
    return { ...(thumbnail !== undefined && { thumbnail }), ...(origin && { origin }) };
  };
  return Promise.all(
    events.map(async (event) => {
      const [watched, found] = await Promise.all([watchedBy(event), stored(event.image_id)]);
      return {
        ...event,
        pictures: { watched: picture(event.watched, watched), found: picture(event.image_id, found) },
      };
    }),
  );
}
