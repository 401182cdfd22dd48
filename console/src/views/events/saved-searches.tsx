import { useState } from 'preact/hooks';
import { relations } from '@sosia/client/result-info';
import { ask } from '../../api/call.ts';
import { useAction } from '../../parts/action.ts';
import { useRequest } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/check.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { count, percent } from '../../parts/figures.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ConditionsField, KeywordsField } from '../../parts/keywords-field.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { PictureField } from '../../parts/picture-field.tsx';
import { SavedPictures } from '../../parts/saved-pictures.tsx';
import { Select } from '../../parts/select.tsx';
import { Slider } from '../../parts/slider.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { useApplication, useScopes } from '../../session.ts';
import { searchesRequest, type Search } from './event-list.tsx';

/** The searches that are compared with each added picture. */
export function SavedSearches() {
  const edits = useScopes().includes('add');
  const { value, error, again } = useRequest(searchesRequest);
  const { error: failed, run } = useAction();
  const [making, setMaking] = useState(false);
  const remove = (search_id: string) =>
    run(() => ask({ family: 'review', operation: 'DeleteSavedSearch', values: { search_id } })).then(again);
  return (
    <>
      <div class="row bar">
        <p class="count" role="status">
          {value && count(value.nb_results_found, 'saved search', 'saved searches')}
        </p>
        <span class="spring" />
        {edits && <Button kind="main" icon="add" text="New saved search" onClick={() => setMaking(true)} />}
      </div>
      <Failed error={failed ?? error} />
      {value?.nb_results_found === 0 && (
        <Empty title="Nothing is searched for">
          <p>Each picture that is added after a search was saved and that it finds is an event.</p>
        </Empty>
      )}
      <SavedPictures
        label="Saved searches"
        pictures={value?.saved_searches ?? []}
        thumbnail={({ id }) => <Thumbnail id={id} of="search_id" />}
        about={conditionsOf}
        removal={edits ? (id) => `Delete the search ${id}` : undefined}
        onRemove={(id) => void remove(id)}
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

function NewSearch({ onClose }: { onClose: () => void }) {
  const { traits } = useApplication();
  const decides = !traits.colors && !traits.colorWeight;
  const [name, setName] = useState('');
  const [id, setId] = useState('');
  const [file, setFile] = useState<File>();
  const [key, setKey] = useState('');
  const [decision, setDecision] = useState<(typeof decisions)[number][0]>('Match');
  const [similarity, setSimilarity] = useState(80);
  const [relation, setRelation] = useState<(typeof relationNames)[number][0]>('');
  const [keywords, setKeywords] = useState<string[]>([]);
  const [where, setWhere] = useState<string[]>([]);
  const [existing, setExisting] = useState(false);
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
    await ask({ family: 'review', operation: 'SaveSearch', values });
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
      <PictureField
        file={file}
        what="The picture to search for"
        hint="Drop the picture to search for."
        onFile={setFile}
      />
      {!file && !key && <TextField label="Or the id of a picture of the application" value={id} onInput={setId} />}
      {!file && !id.trim() && (
        <TextField
          label="Or a key of another application, to search for all its pictures"
          type="password"
          value={key}
          onInput={setKey}
        />
      )}
      <TextField
        label={key ? 'Name' : 'Name (empty: that of the picture)'}
        value={name}
        maxLength={255}
        onInput={setName}
      />
      {decides ? (
        <div class="form-line">
          <Select label="Least decision" value={decision} options={decisions} onChange={setDecision} />
          <Select label="Relation" value={relation} options={relationNames} onChange={setRelation} />
        </div>
      ) : (
        <Slider label={`Similarity from ${similarity} %`} value={similarity} onInput={setSimilarity} />
      )}
      <KeywordsField label="Only pictures with the keywords" keywords={keywords} onChange={setKeywords} />
      <ConditionsField keywords={where} onChange={setWhere} />
      <Check label="Also pictures that are there already" checked={existing} onChange={setExisting} />
    </FormDialog>
  );
}
