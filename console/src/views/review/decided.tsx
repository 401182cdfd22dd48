import { useState } from 'preact/hooks';
import type { Answers } from '@sosia/contract';
import { ask, requestFor, type Request } from '../../api/call.ts';
import { useChanging } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { ago, count } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Select, TextField, useFields } from '../../parts/fields.tsx';
import { jpegUrl } from '../../parts/thumbnail.tsx';
import { useScopes } from '../../session.ts';
import { BulkPicture } from './bulk-removal.tsx';
import { undoVerdicts } from './review-requests.ts';

type Decided = Answers['review']['ListVerdicts']['verdicts'][number];

const names = {
  '': 'All',
  keep: 'Removed',
  different: 'Not the same',
  ignore: 'Ignored',
  later: 'Put off',
  same: 'The same',
};

/** What was decided, the latest first: found again, taken back, or written to a file. */
export function DecidedGroups({ onUndone }: { onUndone: () => void }) {
  const { values, field } = useFields({ verdict: '' as keyof typeof names, contains: '' });
  const { verdict, contains } = values;
  const [shown, setShown] = useState(50);
  const edits = useScopes().includes('add');
  const filter = { verdict: verdict || undefined, contains: contains.trim() || undefined };
  const request = requestFor('review', 'ListVerdicts', { ...filter, thumbnails: 1, nb_results: shown });
  const { value, error, busy, act } = useChanging(request, { settle: 200 });
  const undo = (id: string): Promise<void> => act(() => undoVerdicts([id])).then(onUndone);
  const total = value?.nb_results_found ?? 0;
  return (
    <>
      <div class="row bar">
        <Select label="Verdict" options={Object.entries(names) as [typeof verdict, string][]} {...field('verdict')} />
        <TextField label="Part of an id" {...field('contains')} />
        <span class="spring" />
        <Button text="Export" disabled={busy || total === 0} onClick={() => void act(() => exported(filter))} />
      </div>
      <Failed error={error} />
      {value && (
        <p class="count" role="status">
          {count(total, 'verdict')}
        </p>
      )}
      {value && total === 0 && <Empty title="Nothing was decided" />}
      <ul class="tiles decided" aria-label="Decided groups">
        {value?.verdicts.map((each) => (
          <li key={each.id} class="surface stack">
            <div class="bulk-pictures">
              <Pictures decided={each} />
            </div>
            <div>
              <strong>{each.kept ? `${each.kept} stays` : names[each.verdict]}</strong>
              <p class="soft">
                {ago(Date.parse(each.at))}, by {each.who}
              </p>
            </div>
            {edits && (
              <Button
                icon="undo"
                text="Undo"
                label={`Undo ${names[each.verdict]}: ${each.images.join(', ')}`}
                disabled={busy}
                onClick={() => void undo(each.id)}
              />
            )}
          </li>
        ))}
      </ul>
      {value && shown < Math.min(total, 1000) && (
        <Button text="Show more" onClick={() => setShown(Math.min(1000, 4 * shown))} />
      )}
      <CurlLine request={request} />
    </>
  );
}

/** Pictures of a group that are still there, and previews of the removed ones. */
function Pictures({ decided: { images, kept, removed = [] } }: { decided: Decided }) {
  const previews = new Map(removed.map(({ id, thumbnail }) => [id, thumbnail]));
  return images.map((id) => {
    const preview = previews.get(id);
    const words = kept ? (id === kept ? 'stays' : 'removed') : id;
    return (
      <BulkPicture key={id} id={id} words={words} kept={id === kept} {...(preview && { source: jpegUrl(preview) })} />
    );
  });
}

/** Downloads the verdicts as lines of JSON, which `sosia review import` reads. */
async function exported(filter: Request['values']): Promise<void> {
  const lines: string[] = [];
  for (;;) {
    const values = { ...filter, starting_index: lines.length, nb_results: 1000 };
    const { verdicts } = await ask(requestFor('review', 'ListVerdicts', values));
    lines.push(...verdicts.map(({ id: _, ...verdict }) => `${JSON.stringify(verdict)}\n`));
    if (verdicts.length < 1000) break;
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }));
  link.download = 'verdicts.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}
