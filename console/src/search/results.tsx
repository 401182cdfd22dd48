import { useState } from 'preact/hooks';
import type { Found } from '../api/answers.ts';
import type { SearchRequest } from './search-request.ts';
import { Empty, Failed } from '../parts/notice.tsx';
import { Thumbnail } from '../parts/thumbnail.tsx';
import { VirtualGrid } from '../parts/virtual-grid.tsx';
import { matchInfoOf } from './match-info.ts';
import { MatchView } from './match-view.tsx';
import { useMore } from './more.ts';
import { Score, Verdict } from './verdict.tsx';

interface ResultsProps {
  readonly found: Found;
  readonly request: SearchRequest;
  /** Shows the query; undefined if there is no picture of it. */
  readonly query: string | undefined;
  readonly busy: boolean;
  /** False for lists without scores. */
  readonly scored: boolean;
}

export function Results({ found, request, query, busy, scored }: ResultsProps) {
  const [open, setOpen] = useState<number>();
  const { images, total, ...more } = useMore(found, request);
  const next = Math.min(Number(request.values['nb_results']), total - images.length);
  const count = total === 1 ? '1 picture found' : `${total.toLocaleString('en')} pictures found`;
  const shown = images.length < total ? `, the first ${images.length.toLocaleString('en')} shown` : '';
  const image = open === undefined ? undefined : images[open];
  return (
    <section class={busy ? 'results busy' : 'results'} aria-label="Results" aria-busy={busy}>
      <p class="count" role="status">
        {count}
        {shown}
      </p>
      {total === 0 && (
        <Empty title="Nothing like it here">
          <p>No picture of this application matches. Fewer keywords, or another part of the picture, may find more.</p>
        </Empty>
      )}
      <VirtualGrid
        label="Results, best first"
        count={images.length}
        cellWidth={164}
        cellHeight={scored ? 246 : 224}
        cell={(index) => {
          const each = images[index]!;
          return (
            <button type="button" class="card" onClick={() => setOpen(index)}>
              <Thumbnail id={each.id} />
              <span class="card-text">
                <span class="card-id">{each.id}</span>
                {scored && (
                  <span class="card-facts">
                    <Score score={each.score} />
                    <Verdict decision={matchInfoOf(each).decision} />
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
          <button type="button" disabled={more.busy} onClick={more.fetch}>
            Show {next.toLocaleString('en')} more
          </button>
        </p>
      )}
      {image && (
        <MatchView
          key={image.id}
          image={image}
          rank={open! + 1}
          of={images.length}
          query={query}
          request={request}
          onStep={(step) => setOpen(Math.min(images.length - 1, Math.max(0, open! + step)))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}
