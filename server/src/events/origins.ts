import type { Application } from '../applications/application.ts';
import type { NewEvent } from '../store/store.ts';
import { watchedOr, type FindCaller } from './watched.ts';

/**
 * Events of one picture with where both pictures lie at this moment. It is committed with them: an event is most needed after
 * its picture was moved or deleted, and a webhook that is sent twice says the same.
 */
export async function withOrigins(
  application: Application,
  events: readonly NewEvent[],
  find: FindCaller,
): Promise<NewEvent[]> {
  const own = events.flatMap(({ image, watched, watchedIn }) => (watchedIn ? [image] : [image, watched]));
  const origins = await application.originsOf([...new Set(own)]);
  const elsewhere = async ({ key, image }: NonNullable<NewEvent['watchedIn']>) => {
    const watched = watchedOr(find, key);
    return typeof watched === 'string' ? undefined : (await watched.originsOf([image])).get(image);
  };
  const withBoth = async (event: NewEvent): Promise<NewEvent> => {
    const { image, watched, watchedIn } = event;
    const origin = origins.get(image);
    const watchedOrigin = watchedIn ? await elsewhere(watchedIn) : origins.get(watched);
    return { ...event, ...(origin && { origin }), ...(watchedOrigin && { watchedOrigin }) };
  };
  return Promise.all(events.map(withBoth));
}
