import type { Found, Image } from '../../api/answers.ts';
import { Button } from '../../parts/button.tsx';
import { useCardSize } from '../../parts/card-size.tsx';
import { count } from '../../parts/figures.ts';
import { Id } from '../../parts/id.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { VirtualGrid } from '../../parts/virtual-grid.tsx';
import { linkTo } from '../../route.ts';
import { matchInfoOf } from './match-info.ts';
import { MatchView } from './match-view.tsx';
import { useMore } from './more.ts';
import type { SearchRequest } from './search-request.ts';
import { Score, Verdict } from './verdict.tsx';

interface ResultsProps {
  readonly found: Found;
  readonly request: SearchRequest;
  /** Shows the query; undefined if there is no picture of it. */
  readonly query: string | undefined;
  /** The id of the reference that is the query and no result; empty if none is. */
  readonly itself: string;
  /** False for lists without scores. */
  readonly scored: boolean;
  /** The id of the result that is open; empty if none is. */
  readonly open: string;
  /** Lists pictures that match only by the ignore list, or leaves them out. */
  readonly onIgnored: (listed: boolean) => void;
  readonly onOpen: (id: string) => void;
}

export function Results({ found, request, query, itself, scored, open, onOpen, onIgnored }: ResultsProps) {
  const { images: all, total: counted, ...more } = useMore(found, request);
  const images = all.filter(({ id, copies }) => id !== itself || copies);
  const unfolded: Image[] = images.flatMap((each) => [each, ...(each.copies ?? [])]);
  const total = counted - (all.length - images.length);
  const next = Math.min(Number(request.values['nb_results']), total - unfolded.length);
  const shown = unfolded.length < total ? `, the first ${unfolded.length.toLocaleString('en')} shown` : '';
  const at = open ? unfolded.findIndex(({ id }) => id === open) : -1;
  const image = unfolded[at];
  const size = useCardSize();
  const listed = request.values['ignored'] === 1;
  return (
    <>
      <div class="row bar">
        <p class="count" role="status">
          {count(total, 'picture')} found{shown}
        </p>
        <span class="spring" />
        {total > 0 && size.slider}
      </div>
      {found.ignored && (
        <p class="notice-line">
          The picture shows {found.ignored.join(', ')} of the{' '}
          <a href={linkTo('review', { queue: 'ignored' })}>ignore list</a>.{' '}
          {listed ? 'Pictures that match only by it are listed, too.' : 'Pictures that match only by it are left out.'}{' '}
          <button type="button" class="link" onClick={() => onIgnored(!listed)}>
            {listed ? 'Leave them out' : 'Show them'}
          </button>
        </p>
      )}
      {total === 0 && (
        <Empty title="No picture matches">Fewer keywords, or another part of the picture, may find more.</Empty>
      )}
      <VirtualGrid
        label="Results, best first"
        count={images.length}
        {...size.cells}
        cell={(index) => {
          const each = images[index]!;
          return (
            <button type="button" class="card" onClick={() => onOpen(each.id)}>
              <Thumbnail id={each.id} />
              <span class="card-text">
                <Id id={each.id} />
                {scored && (
                  <span class="row ends card-facts">
                    <Score score={each.score} similarity={each.similarity} />
                    {each.ignored ? <span class="verdict rejected">ignored</span> : <Verdict {...matchInfoOf(each)} />}
                    {each.copies && <span class="verdict">and {each.copies.length} more</span>}
                  </span>
                )}
              </span>
            </button>
          );
        }}
      />
      <Failed error={more.error} />
      {next > 0 && (
        <p class="more">
          <Button text={`Show ${next.toLocaleString('en')} more`} disabled={more.busy} onClick={more.fetch} />
        </p>
      )}
      {image && (
        <MatchView
          key={image.id}
          image={image}
          at={at}
          of={unfolded.length}
          query={query}
          request={request}
          onStep={(to) => unfolded[to] && onOpen(unfolded[to].id)}
          onClose={() => onOpen('')}
        />
      )}
    </>
  );
}
