import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { count } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Slider, TextField } from '../../parts/fields.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import type { Route } from '../../route.ts';
import { useApplication, useScopes } from '../../session.ts';
import { BulkRemoval } from './bulk-removal.tsx';
import { CloserLook } from './closer-look.tsx';
import { DecidedGroups } from './decided.tsx';
import { GroupList } from './group-list.tsx';
import { GroupView, inOrder } from './group-view.tsx';
import { IgnoredPictures } from './ignored-pictures.tsx';
import { Progress, useReview } from './progress.tsx';
import { groupsRequest, type Queue, type ReviewProgress } from './review-requests.ts';
import { useOpenGroups, type OpenGroups } from './use-open-groups.ts';

type Tab = Queue | 'decided' | 'ignored';

/** Per cent at which the queue of similar pictures begins. */
const SIMILAR_FROM = 10;

const queues: Record<Queue, { title: string; none: string }> = {
  duplicates: { title: 'Duplicates', none: 'No duplicates to review' },
  similar: { title: 'Similar', none: 'No similar pictures to review' },
  wrong: { title: 'False matches', none: 'No result was marked as wrong' },
  later: { title: 'Put off', none: 'No group was put off' },
};

/** Groups of pictures to decide about, by mouse or keyboard. */
export function ReviewView({ route: { values } }: { route: Route }) {
  const { traits } = useApplication();
  const tabs: Tab[] = traits.symmetric ? ['duplicates', 'wrong', 'later', 'decided'] : ['wrong', 'later', 'decided'];
  if (traits.symmetric && values.get('queue') === 'similar') tabs.splice(1, 0, 'similar');
  if (!traits.colors && !traits.colorWeight) tabs.push('ignored'); // for types that compare parts
  const wanted = values.get('queue') as Tab;
  const tab = tabs.includes(wanted) ? wanted : tabs[0]!;
  const review = useReview();
  return (
    <div class="stack">
      <Tabs
        label="Queue"
        view="review"
        parameter="queue"
        tabs={tabs.map((each) =>
          each === 'ignored' || each === 'decided'
            ? [each, each === 'ignored' ? 'Never match' : 'Decided']
            : [each, queues[each].title, review.state?.[each]],
        )}
        shown={tab}
      />
      {tab === 'ignored' ? (
        <IgnoredPictures />
      ) : tab === 'decided' ? (
        <DecidedGroups onUndone={review.again} />
      ) : (
        <>
          {traits.symmetric && <Progress review={review} />}
          <Groups key={tab} queue={tab} progress={review.state} onStored={review.again} />
        </>
      )}
    </div>
  );
}

interface GroupsProps {
  readonly queue: Queue;
  readonly progress: ReviewProgress | undefined;
  readonly onStored: () => void;
}

function Groups({ queue, progress, onStored }: GroupsProps) {
  const [contains, setContains] = useState('');
  const [similarity, setSimilarity] = useState(queue === 'similar' ? SIMILAR_FROM : 0);
  const filter = { contains: contains.trim() || undefined, min_similarity: similarity };
  const open = useOpenGroups(queue, filter, progress?.[queue], onStored);
  const running = progress?.state === 'running';
  const fresh = progress?.compared === 0 && !running && queue === 'duplicates';
  const [chosen, setChosen] = useState<string>();
  const [looking, setLooking] = useState(false);
  const [sheet, setSheet] = useState(false);
  const scopes = useScopes();
  const removes = queue !== 'similar' && scopes.includes('delete') && scopes.includes('add');
  const group = open.groups[open.at];
  useEffect(() => setChosen(undefined), [group?.id]);
  const kept = group?.images.some(({ id }) => id === chosen) ? chosen! : (group?.keep ?? '');
  const others = group ? group.images.length - 1 : 0;

  const keep: Action = {
    key: 'K',
    name: `Keep one, remove ${others === 1 ? 'the other' : `the other ${others}`}`,
    main: true,
    run: () => open.keep(kept),
  };
  const actions: Action[] = [
    ...(removes && others > 0 ? [keep] : []),
    { key: 'N', name: 'Not the same', main: !removes, run: () => open.judge('different', 'Marked as not the same') },
    { key: 'I', name: 'Always ignore', run: () => open.judge('ignore', 'Ignored from now on') },
    { key: 'L', name: 'Later', run: () => open.judge('later', 'Put off') },
    ...(others > 0 ? [{ key: 'C', name: 'Compare', run: () => setLooking(true) }] : []),
  ];
  useKeys(looking || sheet, {
    ...Object.fromEntries(actions.map(({ key, run }) => [key.toLowerCase(), () => group && run()])),
    u: open.undo,
    arrowdown: () => open.show(open.at + 1),
    arrowup: () => open.show(open.at - 1),
    ...Object.fromEntries(
      (group && removes ? inOrder(group) : [])
        .slice(0, 9)
        .map(({ id }, i) => [String(i + 1), () => setChosen(id)] as const),
    ),
  });

  const filtered = contains !== '' || queue === 'similar';
  const empty = open.total === 0 && (
    <Empty title={running ? 'None so far' : fresh ? 'Find pictures that are there twice' : queues[queue].none}>
      {fresh && 'The service compares each picture with all others. Files stay where they are.'}
      <Undo open={open} />
    </Empty>
  );
  return (
    <>
      <Failed error={open.error} />
      {group || filtered ? (
        <div class="split review-columns">
          <div class="stack review-list">
            <p class="count" role="status">
              {count(open.total ?? open.groups.length, 'group')} left
            </p>
            <GroupList groups={open.groups} at={open.at} onShow={open.show} />
            {removes && group && queue === 'duplicates' && (
              <Button text="Remove copies …" onClick={() => setSheet(true)} />
            )}
            <TextField label="Part of an id or a keyword" value={contains} onChange={setContains} />
            {queue === 'similar' && (
              <Slider label={`Similarity from ${similarity} %`} value={similarity} onChange={setSimilarity} />
            )}
          </div>
          {group ? (
            <section key={group.id} class="arriving" aria-label="Group">
              <GroupView group={group} keep={kept} onKeep={removes ? setChosen : undefined} />
              <div class="row review-actions">
                {actions.map(({ key, name, main, run }) => (
                  <button key={key} type="button" class={main ? 'main' : ''} aria-keyshortcuts={key} onClick={run}>
                    {name}
                    <kbd>{key}</kbd>
                  </button>
                ))}
                <Undo open={open} />
              </div>
              <p class="legend soft review-keys">
                {removes && (
                  <>
                    <kbd>1</kbd> to <kbd>9</kbd> choose the picture to keep,{' '}
                  </>
                )}
                <kbd>↑</kbd> <kbd>↓</kbd> go to another group. Files stay where they are.
              </p>
            </section>
          ) : (
            empty
          )}
        </div>
      ) : (
        empty
      )}
      <CurlLine request={groupsRequest(queue, filter)} />
      {sheet && <BulkRemoval filter={filter} onRemove={open.keepIn} onClose={() => setSheet(false)} />}
      {looking && group && <CloserLook group={group} keep={kept} onClose={() => setLooking(false)} />}
    </>
  );
}

interface Action {
  readonly key: string;
  readonly name: string;
  readonly main?: boolean;
  readonly run: () => void;
}

function Undo({ open }: { open: OpenGroups }) {
  return (
    <span class="review-undo" role="status">
      {open.last && (
        <>
          {open.last}.{' '}
          <button type="button" aria-keyshortcuts="U" onClick={open.undo}>
            <Icon name="undo" />
            Undo
            <kbd>U</kbd>
          </button>
        </>
      )}
    </span>
  );
}

/**
 * Keys of the whole page, except while text is typed, and while a dialog is open. The keys change together with the
 * picture on the page, so that a key pressed at once after it acts on the group that is shown.
 */
function useKeys(paused: boolean, keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useLayoutEffect(() => {
    if (paused) return;
    const listener = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      if (typing || event.altKey || event.metaKey || (event.ctrlKey && event.key !== 'z')) return;
      const run = event.ctrlKey ? keys['u'] : keys[event.key.toLowerCase()];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  });
}
