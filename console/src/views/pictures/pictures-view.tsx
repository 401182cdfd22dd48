import { requestFor } from '../../api/call.ts';
import { useEffect, useState } from 'preact/hooks';
import type { Image } from '../../api/answers.ts';
import { useAction, useRequest } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Swatches } from '../../parts/swatches.tsx';
import { useCardSize } from '../../parts/card-size.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { count } from '../../parts/figures.ts';
import { FileChoices } from '../../parts/file-choices.tsx';
import { FoundCount } from '../../parts/found-count.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Id } from '../../parts/id.tsx';
import { ConditionsField, KeywordsField, fieldsOf, Select } from '../../parts/fields.tsx';
import { EditedMetadata, MetadataTable } from '../../parts/metadata.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { useStore } from '../../parts/store.ts';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { VirtualGrid } from '../../parts/virtual-grid.tsx';
import { go, linkTo, type Route } from '../../route.ts';
import { useApplication, useScopes } from '../../session.ts';
import { changeKeywords } from './change-keywords.ts';
import { deletions, deleteSoon, fateOfFiles } from './deletions.ts';
import { usePictures, type Filter, type Order } from './picture-list.ts';
import { nothing, toggled } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';

const orders = [
  ['ascending', 'Id, A to Z'],
  ['descending', 'Id, Z to A'],
  ['latest', 'Latest first'],
] as const;

/** All pictures of the application; those being deleted are faded. */
export function PicturesView({ route: { values } }: { route: Route }) {
  const keywords = values.getAll('keywords');
  const where = values.getAll('where');
  const order = orders.find(([each]) => each === values.get('order'))?.[0] ?? 'ascending';
  const [version, setVersion] = useState(0);
  const [open, setOpen] = useState<Image>();
  const [selection, setSelection] = useState(nothing);
  const list = usePictures({ keywords, where }, version, order);
  const adds = useScopes().includes('add');
  const size = useCardSize();
  const changed = (): void => setVersion((before) => before + 1);
  const change = (to: Partial<Listed>): void => {
    setSelection(nothing);
    go(addressOf({ keywords, where, order, ...to }), { replace: true });
  };
  const field = fieldsOf<Listed>({ keywords, where, order }, change);
  const narrowed = keywords.length + where.length > 0;
  useAfterDeletions(changed);

  return (
    <div class="stack">
      <div class="row bar">
        <KeywordsField label="With the keywords" {...field('keywords')} />
        <ConditionsField {...field('where')} />
        <Select label="Order" kind="order" options={orders} {...field('order')} />
        {list.hasMovableFiles && <FateOfFiles />}
        <p class="count" role="status">
          {list.count === undefined ? '' : count(list.count, 'picture')}
        </p>
        <span class="spring" />
        {size.slider}
        {adds && (
          <a class="button" href={linkTo('add')}>
            <Icon name="add" />
            Add pictures
          </a>
        )}
      </div>
      {selection.ids.size > 0 && (
        <SelectionBar
          ids={selection.ids}
          total={list.count ?? 0}
          onAll={() => void list.allIds().then((ids) => setSelection({ ids: new Set(ids), anchor: undefined }))}
          onNone={() => setSelection(nothing)}
          onChanged={changed}
        />
      )}
      <Failed error={list.error} />
      {list.count === 0 && (
        <Empty title={narrowed ? 'No picture has all of these' : 'No pictures yet'}>
          {!narrowed && adds && (
            <>
              <a href={linkTo('add')}>Add some</a>, or import a folder with <code>sosia import</code>.
            </>
          )}
        </Empty>
      )}
      <VirtualGrid
        label="Pictures"
        count={list.count ?? 0}
        {...size.cells}
        onSight={list.see}
        cell={(index) => {
          const image = list.at(index);
          if (!image) return <span class="card waiting" />;
          const chosen = selection.ids.has(image.id);
          const choose = (range: boolean): void =>
            setSelection(toggled(selection, index, range, (each) => list.at(each)?.id));
          return <Card image={image} chosen={chosen} onChoose={choose} onOpen={() => setOpen(image)} />;
        }}
      />
      <CurlLine request={list.request} />
      {open && <PictureDialog image={open} onChanged={changed} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

/** Stay where they are again when the view is left. */
function FateOfFiles() {
  const files = useStore(fateOfFiles);
  useEffect(() => () => fateOfFiles.set('keep'), []);
  if (!useScopes().includes('delete')) return null;
  return (
    <FileChoices label="Files of deleted ones" kind="order" value={files} onChange={(to) => fateOfFiles.set(to)} />
  );
}

interface Listed extends Filter {
  readonly order: Order;
}

function addressOf({ order, ...filter }: Listed): string {
  return linkTo('pictures', { ...filter, order: order !== 'ascending' && order });
}

/** Calls back a moment after deletions were sent. */
function useAfterDeletions(changed: () => void): void {
  const sent = useStore(deletions).filter(({ state }) => state === 'sent').length;
  useEffect(() => {
    if (sent === 0) return;
    const timer = setTimeout(changed, 400);
    return () => clearTimeout(timer);
  }, [sent]);
}

interface CardProps {
  readonly image: Image;
  readonly chosen: boolean;
  /** @param range  whether it extends the last choice */
  readonly onChoose: (range: boolean) => void;
  readonly onOpen: () => void;
}

function Card({ image: { id, keywords }, chosen, onChoose, onOpen }: CardProps) {
  const deletes = useScopes().includes('delete');
  const state = useStore(deletions).find((each) => each.id === id)?.state;
  const leaving = state === 'waiting' || state === 'sent';
  return (
    <div class={`card-holder ${leaving ? 'leaving' : ''} ${chosen ? 'chosen' : ''}`}>
      <button
        type="button"
        class="card"
        onClick={({ ctrlKey, metaKey, shiftKey }) => {
          if (ctrlKey || metaKey || shiftKey) onChoose(shiftKey);
          else onOpen();
        }}
        onKeyDown={({ key, shiftKey }) => {
          if (key === 'Delete' && deletes) deleteSoon(id);
          if (key.toLowerCase() === 'x') onChoose(shiftKey);
        }}
      >
        <Thumbnail id={id} />
        <span class="card-text">
          <Id id={id} />
          <small class="one-line">{keywords.join(' · ') || '\u00a0'}</small>
        </span>
      </button>
      <input
        type="checkbox"
        class="card-choice"
        aria-label={`Select ${id}`}
        checked={chosen}
        onClick={({ shiftKey }) => onChoose(shiftKey)}
      />
      {deletes && <Button kind="card-delete" icon="remove" label={`Delete ${id}`} onClick={() => deleteSoon(id)} />}
    </div>
  );
}

interface PictureDialogProps {
  readonly image: Image;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function PictureDialog({ image, onChanged, onClose }: PictureDialogProps) {
  const { traits } = useApplication();
  const scopes = useScopes();
  const [edits, deletes] = [scopes.includes('add'), scopes.includes('delete')];
  const [keywords, setKeywords] = useState<readonly string[]>(image.keywords);
  const { error, run } = useAction();
  const edit = async (typed: readonly string[]): Promise<void> => {
    await changeKeywords([image.id], () => typed);
    setKeywords(typed);
    onChanged();
  };
  const values = { image_id: image.id };
  const request = requestFor('enginequery', 'GetImageColorsById', values);
  const colors = useRequest(traits.colors ? request : undefined);
  return (
    <Dialog title={image.id} onClose={onClose}>
      <div class="row">
        {!edits && <span class="soft">{image.keywords.join(' · ') || 'no keywords'}</span>}
        <span class="spring" />
        {traits.symmetric && (
          <a class="button" href={linkTo('search', { id: image.id })}>
            <Icon name="search" />
            Find those like it
          </a>
        )}
        {deletes && (
          <Button
            icon="remove"
            text="Delete"
            onClick={() => {
              deleteSoon(image.id);
              onClose();
            }}
          />
        )}
      </div>
      <div class="halves">
        <figure>
          <span class="picture whole">
            <Thumbnail id={image.id} />
          </span>
          <figcaption>The service stores this preview, not the picture itself.</figcaption>
        </figure>
        <div class="stack">
          {edits && (
            <KeywordsField
              label="Keywords"
              empty="none"
              value={keywords}
              onChange={(typed) => void run(() => edit(typed))}
            />
          )}
          <Failed error={error} />
          <FoundCount id={image.id} />
          {edits ? (
            <EditedMetadata id={image.id} metadata={image.metadata} onChanged={onChanged} />
          ) : (
            image.metadata && <MetadataTable metadata={image.metadata} />
          )}
          {colors.value && <Swatches colors={colors.value.colors} />}
        </div>
      </div>
      <CurlLine request={traits.colors ? request : { ...request, operation: 'GetImageById' }} />
    </Dialog>
  );
}
