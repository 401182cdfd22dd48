import { requestFor } from '../../api/call.ts';
import { useRequest } from '../../parts/answer.ts';
import { ago, count } from '../../parts/figures.ts';
import { Id } from '../../parts/id.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { linkTo } from '../../route.ts';
import { useApplication } from '../../session.ts';

/** Pictures shown. */
const SHOWN = 6;

/** The pictures that searches find most often. */
export function MostFound() {
  const { traits } = useApplication();
  const { value } = useRequest(requestFor('review', 'ListMatchCounts', { nb_results: SHOWN }));
  if (!value || value.images.length === 0) return null;
  return (
    <section class="surface" aria-labelledby="most-found">
      <h2 id="most-found">Found most often</h2>
      <ul class="tiles small">
        {value.images.map(({ id, found, last }) => (
          <li key={id}>
            <a class="card-text" href={traits.symmetric ? linkTo('search', { id }) : linkTo('pictures')}>
              <span class="picture">
                <Thumbnail id={id} />
              </span>
              <Id id={id} />
              <span class="soft">
                {count(found, 'time')}, {ago(Date.parse(last))}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
