import type { Origin } from '@sosia/contract';
import { originalOf, ask, requestFor, useApplication, useScopes } from '../../api/call.ts';
import type { Image, Correspondence, Point } from '../../api/call.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FoundCount } from '../../parts/found-count.tsx';
import { Icon, Stepper, stepOf, Button } from '../../parts/controls.tsx';
import { MetadataTable } from '../../parts/metadata.tsx';
import { linkTo } from '../../route.ts';
import { matchInfoOf, type MatchInfo, type Size } from './match-info.ts';
import { Places } from './results.tsx';
import type { SearchRequest } from './search-request.ts';
import { Meaning, Score, Verdict } from './verdict.tsx';
import { useState } from 'preact/hooks';
import { useAction, Failed } from '../../parts/answer.tsx';
import { useWidth } from '../../parts/width.ts';

interface MatchViewProps {
  readonly image: Image;
  /** Its place in the list. */
  readonly at: number;
  readonly of: number;
  /** Shows the query; undefined if there is no picture of it. */
  readonly query: string | undefined;
  readonly request: SearchRequest;
  readonly onStep: (to: number) => void;
  readonly onClose: () => void;
}

/** One result beside the query: where they match, why, and one as an overlay on the other. */
export function MatchView({ image, at, of, query, request, onStep, onClose }: MatchViewProps) {
  const info = matchInfoOf(image);
  return (
    <Dialog
      title={image.id}
      onClose={onClose}
      onKey={(key) => onStep(at + stepOf(key))}
      head={<Stepper what="result" at={at} of={of} onStep={onStep} />}
    >
      <MatchFacts image={image} info={info} request={request} onClose={onClose} />
      <Meaning {...info} />
      {image.ignored && <p class="lead">Both pictures have only a picture of the ignore list in common.</p>}
      <FoundCount id={image.id} />
      {image.metadata && <MetadataTable metadata={image.metadata} />}
      <Places
        id={image.id}
        places={query ? info.places : undefined}
        query={query}
        names={['the query', image.id]}
        request={request}
      />
    </Dialog>
  );
}

/** Where the picture lies, which opens it. @param id  undefined where the service no longer has it */
export function OriginLine({ id, origin }: { id: string | undefined; origin: Origin }) {
  const { source, path, bucket, key, address, time, interval = [time!, time!] } = origin;
  const href = address ?? (id && originalOf(id));
  const place = address ?? path ?? `${bucket}/${key}`;
  return (
    <span class="soft">
      {source}:{' '}
      {href ? (
        <a href={href} target="_blank" rel="noreferrer" title="Open the original">
          {place}
        </a>
      ) : (
        place
      )}
      {time !== undefined && ` at ${[...new Set(interval.map(clock))].join(' to ')}`}
    </span>
  );
}

/** Seconds of a film. */
function clock(seconds: number): string {
  return new Date(1000 * seconds).toISOString().slice(11, 19);
}

type MatchFactsProps = Pick<MatchViewProps, 'image' | 'request' | 'onClose'> & { readonly info: MatchInfo };

function MatchFacts({ image, info, request, onClose }: MatchFactsProps) {
  const { traits } = useApplication();
  const scopes = useScopes();
  return (
    <div class="row">
      <Verdict {...info} />
      <Score score={image.score} similarity={image.similarity} />
      {[{ name: '', score: image.score }, ...info.parts].map(({ name, score }) => (
        <span key={name} class="soft">
          {name} score <span>{score.toFixed(4)}</span>
        </span>
      ))}
      {image.keywords.length > 0 && <span class="soft">{image.keywords.join(' · ')}</span>}
      {image.origin && <OriginLine id={image.id} origin={image.origin} />}
      <span class="spring" />
      {scopes.includes('add') && <MarkWrong id={image.id} request={request} />}
      {traits.symmetric && (
        <a class="button quiet" href={linkTo('search', { id: image.id })} onClick={onClose}>
          <Icon name="search" />
          Search with this one
        </a>
      )}
    </div>
  );
}

/** Marks a result as wrong; the review then lists it. */
function MarkWrong({ id, request }: { id: string; request: SearchRequest }) {
  const [marked, setMarked] = useState(false);
  const { busy, error, run } = useAction();
  const { image_id: query_id, image_content, dna } = request.values;
  if (query_id === id || !(query_id ?? image_content ?? dna)) return null;
  const mark = async (): Promise<void> => {
    const values = { image_id: id, query_id, image_content, dna };
    await ask(requestFor('review', 'MarkWrong', values));
    setMarked(true);
  };
  if (marked) {
    return (
      <span role="status">
        Marked as wrong, see <a href={linkTo('review', { queue: 'wrong' })}>Review</a>
      </span>
    );
  }
  return (
    <>
      <Button kind="quiet" icon="alert" text="This is wrong" disabled={busy} onClick={() => void run(mark)} />
      <Failed error={error} />
    </>
  );
}

interface PairProps {
  readonly places: NonNullable<MatchInfo['places']>;
  readonly query: string;
  readonly reference: string;
  readonly correspondences: readonly Correspondence[];
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const GAP = 16;
/** Below this width in pixels the pictures are arranged vertically. */
const NARROW = 620;
/** The maximum distance in bits of the features of a correspondence. */
const FARTHEST = 22;

/** Both pictures in one drawing with their matching boxes, and lines between corresponding places. */
export function Pair({ places, query, reference, correspondences }: PairProps) {
  const { holder, width } = useWidth(200);
  const { size, left, right } = arranged(places.query.frame, places.reference.frame, width);
  return (
    <div ref={holder} class="pair">
      <svg
        viewBox={`0 0 ${size[0]} ${size[1]}`}
        width={size[0]}
        height={size[1]}
        role="img"
        aria-label={`The query and the reference with their matching boxes${correspondences.length > 0 ? ` and ${correspondences.length} correspondences` : ''}`}
      >
        <image {...left} href={query} preserveAspectRatio="none" />
        <image {...right} href={reference} preserveAspectRatio="none" />
        {places.instances.map((box, i) => (
          <Outline key={i} box={box} on={left} further />
        ))}
        <Outline box={places.query.box} on={left} />
        <Outline box={places.reference.box} on={right} />
        {correspondences.map((one, i) => (
          <Line key={i} {...one} left={left} right={right} />
        ))}
      </svg>
    </div>
  );
}

function Outline({ box, on, further = false }: { box: readonly Point[]; on: Placed; further?: boolean }) {
  const points = box.map((point) => at(point, on).join()).join(' ');
  return (
    <g class={further ? 'outline further' : 'outline'}>
      <polygon class="under" points={points} />
      <polygon class="over" points={points} />
    </g>
  );
}

function Line({ query, reference, distance, left, right }: Correspondence & { left: Placed; right: Placed }) {
  const [x1, y1] = at(query, left);
  const [x2, y2] = at(reference, right);
  const style = { '--far': String(Math.min(1, distance / FARTHEST)) } as Record<string, string>;
  return (
    <g class="correspondence" style={style}>
      <line x1={x1} y1={y1} x2={x2} y2={y2} />
      <circle cx={x1} cy={y1} r="2" />
      <circle cx={x2} cy={y2} r="2" />
    </g>
  );
}

function at([x, y]: Point, on: Placed): [number, number] {
  return [round(on.x + x * on.width), round(on.y + y * on.height)];
}

/** Side by side at one height, or vertically at one width. */
function arranged(a: Size, b: Size, width: number): { size: Size; left: Placed; right: Placed } {
  const placed = (own: number, height: number, x: number, y: number): Placed => {
    return { x: round(x), y: round(y), width: round(own), height: round(height) };
  };
  const [across, down] = [a[0] / a[1], b[0] / b[1]];
  if (width < NARROW) {
    const [first, second] = [Math.min(width * 0.9, width / across), Math.min(width * 0.9, width / down)];
    const middle = (own: number, height: number, y: number) => placed(own, height, (width - own) / 2, y);
    const right = middle(second * down, second, first + GAP);
    return { size: [width, round(first + GAP + second)], left: middle(first * across, first, 0), right };
  }
  const height = Math.min(460, (width - GAP) / (across + down));
  const [first, second] = [height * across, height * down];
  const start = (width - GAP - first - second) / 2;
  const right = placed(second, height, start + first + GAP, 0);
  return { size: [width, round(height)], left: placed(first, height, start, 0), right };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
