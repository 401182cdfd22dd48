import { useEffect, useState } from 'preact/hooks';
import type { Image } from '../../api/answers.ts';
import { ask } from '../../api/call.ts';
import { Swatches } from '../../parts/swatches.tsx';
import { useAnswer } from '../../parts/answer.ts';
import { CurlLine } from '../../parts/curl-line.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { KeywordsField } from '../../parts/keywords-field.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { useStore } from '../../parts/store.ts';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { VirtualGrid } from '../../parts/virtual-grid.tsx';
import type { Route } from '../../route.ts';
import { linkTo } from '../../route.ts';
import { useApplication } from '../../session.ts';
import { deletions, deleteSoon } from './deletions.ts';
import { usePictures } from './picture-list.ts';

/** All pictures of the application by id; those being deleted are faded. */
export function PicturesView({ route }: { route: Route }) {
  const [keywords, setKeywords] = useState(route.values.getAll('keywords'));
  const [version, setVersion] = useState(0);
  const [open, setOpen] = useState<Image>();
  const list = usePictures(keywords, version);
  const all = useStore(deletions);
  const stateOf = (id: string) => all.find((each) => each.id === id)?.state;

  const sent = all.filter(({ state }) => state === 'sent').length;
  useEffect(() => {
    if (sent === 0) return;
    const timer = setTimeout(() => setVersion((before) => before + 1), 400);
    return () => clearTimeout(timer);
  }, [sent]);

  return (
    <div class="stack">
      <div class="bar">
        <KeywordsField label="With the keywords" keywords={keywords} onChange={setKeywords} />
        <p class="count" role="status">
          {list.count === undefined
            ? ''
            : `${list.count.toLocaleString('en')} ${list.count === 1 ? 'picture' : 'pictures'}`}
        </p>
        <span class="spring" />
        <a class="button" href={linkTo('add')}>
          <Icon name="plus" />
          Add pictures
        </a>
      </div>
      <Failed error={list.error} />
      {list.count === 0 && (
        <Empty title={keywords.length > 0 ? 'No picture has all these keywords' : 'No pictures yet'}>
          {keywords.length === 0 && (
            <p>
              <a href={linkTo('add')}>Add some</a>, or bring in a folder with <code>sosia import</code>.
            </p>
          )}
        </Empty>
      )}
      <VirtualGrid
        label="Pictures"
        count={list.count ?? 0}
        cellWidth={160}
        cellHeight={224}
        onSight={list.see}
        cell={(index) => {
          const image = list.at(index);
          if (!image) return <span class="card waiting" />;
          const state = stateOf(image.id);
          return (
            <div class={state === 'waiting' || state === 'sent' ? 'card-holder leaving' : 'card-holder'}>
              <button
                type="button"
                class="card"
                onClick={() => setOpen(image)}
                onKeyDown={(event) => event.key === 'Delete' && deleteSoon(image.id)}
              >
                <Thumbnail id={image.id} />
                <span class="card-text">
                  <span class="card-id">{image.id}</span>
                  <span class="card-keywords">{image.keywords.join(' · ') || '\u00a0'}</span>
                </span>
              </button>
              <button
                type="button"
                class="card-delete"
                aria-label={`Delete ${image.id}`}
                onClick={() => deleteSoon(image.id)}
              >
                <Icon name="remove" />
              </button>
            </div>
          );
        }}
      />
      <CurlLine request={list.request} />
      {open && <PictureDialog image={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

function PictureDialog({ image, onClose }: { image: Image; onClose: () => void }) {
  const { traits } = useApplication();
  const values = { image_id: image.id };
  const request = { family: 'enginequery', operation: 'GetImageColorsById', values } as const;
  const colors = useAnswer(traits.colors ? image.id : undefined, (signal) => ask(request, signal));
  return (
    <Dialog title={image.id} onClose={onClose}>
      <div class="match-facts">
        <span class="soft">{image.keywords.join(' · ') || 'no keywords'}</span>
        <span class="spring" />
        {traits.symmetric && (
          <a class="button" href={linkTo('search', { id: image.id })}>
            <Icon name="search" />
            Find those like it
          </a>
        )}
        <button
          type="button"
          onClick={() => {
            deleteSoon(image.id);
            onClose();
          }}
        >
          <Icon name="remove" />
          Delete
        </button>
      </div>
      <div class="beside">
        <figure>
          <Thumbnail id={image.id} />
          <figcaption>The preview that the service keeps; the picture itself it does not.</figcaption>
        </figure>
      </div>
      {colors.value && <Swatches colors={colors.value.colors} />}
      <CurlLine request={traits.colors ? request : { ...request, operation: 'GetImageById' }} />
    </Dialog>
  );
}
