import { keepPicture } from '../../intake/kept-pictures.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Icon } from '../../parts/icon.tsx';
import { go, linkTo } from '../../route.ts';
import { useApplication } from '../../session.ts';
import { SampleQueries } from '../search/sample-queries.tsx';

/** A place to begin: the picture leads to its results. */
export function StartSearch() {
  const { traits } = useApplication();
  const take = (file: File): void =>
    go(linkTo(traits.references ? 'search' : 'filter', { picture: keepPicture(file) }));
  return (
    <section class="surface" aria-labelledby="start">
      <h2 id="start">{traits.references ? 'Search with a picture' : 'Classify a picture'}</h2>
      <DropZone label="Choose a picture" onFiles={([first]) => take(first!.file)}>
        <p>
          <Icon name="upload" />
          Drop or paste a picture, or its address, anywhere on this page.
        </p>
      </DropZone>
      <SampleQueries onFile={(file) => take(file)} />
    </section>
  );
}
