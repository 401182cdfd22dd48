import { describeAll } from '@sosia/testing/describing/describing';
import { printsShownIn } from '@sosia/testing/pictures/covers';
import { framedTemplates } from '@sosia/testing/pictures/templates';
import { partitionOf } from '@sosia/testing/searching/partition';
import { search, type Hit } from '@sosia/testing/searching/search';
import { groupsOf, share } from '@sosia/testing/statistics';
import { benchmark, ofPictures, missingCorpora, type Row } from '../harness/benchmark.ts';
import { type Half, halves } from '../harness/halves.ts';
import { inTemporaryFolder } from '../harness/temporary.ts';
import { captions, DOCUMENT, type Pictures, picturesOf, type Query } from './kinds.ts';
import { printsOf } from './prints.ts';

type Type = 'media-matching' | 'mobile-matching';
const decisions = ['Clone', 'Match', 'Similar', 'none'] as const;
type Decision = (typeof decisions)[number];

/** A query with its answers. */
interface Judged extends Query {
  readonly type: Type;
  readonly half: Half;
  /** Of the reference that shows. */
  readonly right: Decision;
  /** The surest for any reference that does not show. */
  readonly wrong: Decision;
}

export default benchmark({
  title: 'Copies and look-alikes',
  kind: 'accuracy',
  about: 'Frames, captions and documents with other contents, products; copies. Mobile: printed frames. Unseen half.',
  missing: missingCorpora('photos', 'posters', 'clothing', 'covers', 'shelves', 'styles'),
  targets: {
    'same frame: Clone': '<= 0.01',
    'same frame: Clone or Match': '<= 0.05',
    'other entries: Clone': '<= 0.05',
    'documents: Clone': '<= 0',
    'documents: Clone or Match': '<= 0.05',
    'same caption: matched': '<= 0.05',
    'caption, other band: matched': '<= 0.05',
    'half replaced: Clone': '<= 0',
    'half replaced: Match': '>= 0.97',
    'easy edits: Clone': '>= 0.97',
    'products: matched with another': '<= 0.01',
    'Mobile, same frame: Clone': '<= 0.01',
    'Mobile, same frame: Clone or Match': '<= 0.05',
  },
  options: { templates: 20, prints: 4 },
  size: ({ templates, prints }) => ({
    'same frame': `${7 * templates} queries`,
    'other entries': `${2 * templates} queries`,
    documents: `${6 * templates} queries`,
    'same caption': `${templates} queries`,
    caption: `${2 * templates} queries`,
    half: '40 queries',
    easy: `${220 + 19 * templates} queries`,
    products: '796 queries',
    parts: `${10 * templates} queries`,
    'Mobile, same frame': `${21 * prints} queries`,
    'Mobile, views': `${7 * prints} queries`,
    'Mobile, with': `${7 * prints} queries`,
  }),
  measures: ofPictures,
  run: ({ templates, prints }) =>
    inTemporaryFolder(async (folder) => {
      const judged: Judged[] = [];
      for (const half of halves) {
        judged.push(...(await judgedOf('media-matching', half, await picturesOf(half, templates, folder))));
        judged.push(...(await judgedOf('mobile-matching', half, await printsOf(half, prints, folder))));
      }
      const unseen = judged.filter(({ half }) => half === 'unseen');
      const [media, mobile] = (['media-matching', 'mobile-matching'] as const).map((type) =>
        unseen.filter((one) => one.type === type),
      );
      return { figures: { ...figuresOf(media!), ...mobileFiguresOf(mobile!) }, tables: tablesOf(judged) };
    }),
});

async function judgedOf(type: Type, half: Half, { references, queries }: Pictures): Promise<Judged[]> {
  const described = async (paths: readonly string[], side: 'reference' | 'query') =>
    (await describeAll(paths.map((path) => ({ path, type, side })))).map(({ dna }) => dna);
  const partition = partitionOf(type, await described(references, 'reference'));
  const dnas = await described(
    queries.map(({ path }) => path),
    'query',
  );
  const judged: Judged[] = [];
  for (const [i, query] of queries.entries()) {
    const dna = dnas[i];
    const hits = dna ? (await search(partition, dna)).hits : [];
    const isOwn = ({ image }: Hit) => references[image] === query.own;
    const prints = query.own ? printsShownIn(query.own) : [];
    const others = hits.filter((hit) => {
      return !isOwn(hit) && !printsShownIn(references[hit.image]!).some((print) => prints.includes(print));
    });
    judged.push({ ...query, type, half, right: surest(hits.filter(isOwn)), wrong: surest(others) });
  }
  return judged;
}

function surest(hits: readonly Hit[]): Decision {
  return decisions.find((decision) => hits.some(({ info }) => info.decision === decision)) ?? 'none';
}

function figuresOf(judged: readonly Judged[]) {
  const others = judged.filter(({ shows }) => shows === 'other');
  const framed = others.filter(({ kind }) => framedTemplates.includes(kind));
  const entries = others.filter(({ kind }) => /^(form|bar chart)$/.test(kind));
  const documents = others.filter(({ kind }) => kind.startsWith(DOCUMENT));
  const products = others.filter(({ kind }) => /posters|garments|packshots/.test(kind));
  const halfReplaced = judged.filter(({ kind }) => kind === 'half replaced');
  const matched = (name: string): number =>
    share(
      others.filter(({ kind }) => kind === name),
      ({ wrong }) => isMatch(wrong),
    );
  const copies = judged.filter(({ shows }) => shows === 'copy');
  const parts = judged.filter(({ shows }) => shows === 'part');
  return {
    'same frame: Clone': share(framed, ({ wrong }) => isClone(wrong)),
    'same frame: Clone or Match': share(framed, ({ wrong }) => isMatch(wrong)),
    'other entries: Clone': share(entries, ({ wrong }) => isClone(wrong)),
    'documents: Clone': share(documents, ({ wrong }) => isClone(wrong)),
    'documents: Clone or Match': share(documents, ({ wrong }) => isMatch(wrong)),
    'same caption: matched': matched(captions.same),
    'caption, other band: matched': matched(captions.other),
    'half replaced: Clone': share(halfReplaced, ({ right }) => isClone(right)),
    'half replaced: Match': share(halfReplaced, ({ right }) => right === 'Match'),
    'easy edits: Clone': share(copies, ({ right }) => isClone(right)),
    'parts: Clone or Match': share(parts, ({ right }) => isMatch(right)),
    'products: matched with another': share(products, ({ wrong }) => isMatch(wrong)),
  };
}

function mobileFiguresOf(judged: readonly Judged[]) {
  const framed = judged.filter(({ kind, shows }) => shows === 'other' && kind.startsWith('frame'));
  const views = judged.filter(({ kind, shows }) => shows === 'part' && kind.endsWith('view'));
  const hidden = judged.filter(({ kind, shows }) => shows === 'part' && /hand|glare/.test(kind));
  return {
    'Mobile, same frame: Clone': share(framed, ({ wrong }) => isClone(wrong)),
    'Mobile, same frame: Clone or Match': share(framed, ({ wrong }) => isMatch(wrong)),
    'Mobile, views of prints: found': share(views, ({ right }) => isMatch(right)),
    'Mobile, with a hand or glare: found': share(hidden, ({ right }) => isMatch(right)),
  };
}

function isClone(decision: Decision): boolean {
  return decision === 'Clone';
}

function isMatch(decision: Decision): boolean {
  return isClone(decision) || decision === 'Match';
}

function tablesOf(judged: readonly Judged[]): Record<string, Row[]> {
  const rows = (type: Type, shown: boolean): Row[] => {
    const counted = judged.filter((one) => one.type === type && (one.shows !== 'other') === shown);
    return [...groupsOf(counted, ({ kind, half }) => `${kind}, ${half}`)].map(([name, all]) => ({
      [shown ? 'copies and parts' : 'other pictures']: name,
      queries: all.length,
      ...Object.fromEntries(
        decisions.map((decision) => [decision, share(all, ({ right, wrong }) => (shown ? right : wrong) === decision)]),
      ),
    }));
  };
  return {
    'decisions for other pictures': rows('media-matching', false),
    'decisions for what shows': rows('media-matching', true),
    'Mobile, decisions for other prints': rows('mobile-matching', false),
    'Mobile, decisions for what shows': rows('mobile-matching', true),
  };
}
