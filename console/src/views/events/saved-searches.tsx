import { useState } from 'preact/hooks';
import { relations } from '@sosia/client/result-info';
import { ask, requestFor } from '../../api/call.ts';
import { useChanging } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Check, Select, Slider, TextField, useFields, ConditionsField, KeywordsField } from '../../parts/fields.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { count, percent } from '../../parts/figures.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { PictureField } from '../../parts/picture-field.tsx';
import { SavedPictures } from '../../parts/saved-pictures.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { useApplication, useScopes } from '../../session.ts';
import { searchesRequest, type Search } from './event-list.tsx';

/** The searches that are compared with each added picture. */
export function SavedSearches() {
  const edits = useScopes().includes('add');
  const { value, error, act, again } = useChanging(searchesRequest);
  const [making, setMaking] = useState(false);
  const remove = (search_id: string) => void act(() => ask(requestFor('review', 'DeleteSavedSearch', { search_id })));
  return (
    <>
      <div class="row bar">
        <p class="count" role="status">
          {value && count(value.nb_results_found, 'saved search', 'saved searches')}
        </p>
        <span class="spring" />
        {edits && <Button kind="main" icon="add" text="New saved search" onClick={() => setMaking(true)} />}
      </div>
      <Failed error={error} />
      {value?.nb_results_found === 0 && (
        <Empty title="Nothing is searched for">
          Each picture that is added after a search was saved and that it finds is an event.
        </Empty>
      )}
      <SavedPictures
        label="Saved searches"
        pictures={value?.saved_searches ?? []}
        thumbnail={({ id }) => <Thumbnail id={id} of="search_id" />}
        about={conditionsOf}
        removal={edits ? (id) => `Delete the search ${id}` : undefined}
        onRemove={remove}
      />
      <CurlLine request={searchesRequest} />
      {making && (
        <NewSearch
          onClose={() => {
            setMaking(false);
            again();
          }}
        />
      )}
    </>
  );
}

function conditionsOf({ application, fault, existing, ...search }: Search): string {
  const { decision, relation, min_similarity, keywords, where = [] } = search;
  const least = decision === 'Clone' ? 'Clone' : decision && `${decision} or better`;
  const pictures = application && `All pictures of ${application}`;
  const behind = existing && `${count(existing.compared, 'present picture')} compared so far`;
  const similar = min_similarity > 0 && `from ${percent(min_similarity)}`;
  return [pictures, fault, behind, least, relation, similar, ...keywords, ...where].filter(Boolean).join(' · ');
}

const decisions = [
  ['Clone', 'Clone: the whole picture'],
  ['Match', 'Match: a part, too'],
  ['Similar', 'Similar: also what is not certain'],
] as const;

const relationNames = [['', 'Any'], ...relations.map((name) => [name, name] as const)] as const;

const none: readonly string[] = [];
const blank = {
  file: undefined as File | undefined,
  id: '',
  key: '',
  name: '',
  decision: 'Match' as (typeof decisions)[number][0],
  similarity: 80,
  relation: '' as (typeof relationNames)[number][0],
  keywords: none,
  where: none,
  existing: false,
};

function NewSearch({ onClose }: { onClose: () => void }) {
  const { traits } = useApplication();
  const decides = !traits.colors && !traits.colorWeight;
  const { values: form, field } = useFields(blank);
  const { file, id, key, name, decision, similarity, relation, keywords, where, existing } = form;
  const submit = async (): Promise<void> => {
    const values = {
      search_id: name.trim() || file?.name || id.trim(),
      ...(file ? { image_content: file } : key ? { watched_key: key } : { query_id: id.trim() }),
      ...(decides ? { decision } : { min_similarity: similarity }),
      relation: relation || undefined,
      keywords,
      where,
      existing: existing ? 1 : undefined,
    };
    await ask(requestFor('review', 'SaveSearch', values));
    onClose();
  };
  return (
    <FormDialog
      title="New saved search"
      action="Save"
      disabled={!file && !id.trim() && !(key && name.trim())}
      onSubmit={submit}
      onClose={onClose}
    >
      <PictureField what="The picture to search for" hint="Drop the picture to search for." {...field('file')} />
      {!file && !key && <TextField label="Or the id of a picture of the application" {...field('id')} />}
      {!file && !id.trim() && (
        <TextField
          label="Or a key of another application, to search for all its pictures"
          type="password"
          {...field('key')}
        />
      )}
      <TextField label={key ? 'Name' : 'Name (empty: that of the picture)'} maxLength={255} {...field('name')} />
      {decides ? (
        <div class="form-line">
          <Select label="Least decision" options={decisions} {...field('decision')} />
          <Select label="Relation" options={relationNames} {...field('relation')} />
        </div>
      ) : (
        <Slider label={`Similarity from ${similarity} %`} {...field('similarity')} />
      )}
      <KeywordsField label="Only pictures with the keywords" {...field('keywords')} />
      <ConditionsField {...field('where')} />
      <Check label="Also pictures that are there already" {...field('existing')} />
    </FormDialog>
  );
}
