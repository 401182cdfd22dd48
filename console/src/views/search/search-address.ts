import { colorsOf, parsedColors, type MixedColor } from '../../parts/colours.ts';
import { linkTo } from '../../route.ts';

export type Way = 'picture' | 'id' | 'keywords' | 'colours';

/** The state of a search, all of which is in its address. */
export interface SearchState {
  readonly way: Way;
  /** The id of a kept picture. */
  readonly picture: string;
  readonly id: string;
  readonly colors: readonly MixedColor[];
  readonly keywords: readonly string[];
  /** Conditions on the metadata. */
  readonly where: readonly string[];
  readonly most: number;
  readonly weight: number;
  /** Whether the DNA is made in the browser. */
  readonly here: boolean;
  /** Whether pictures that match only by the ignore list are listed. */
  readonly ignored: boolean;
  /** Whether copies of one picture are one result. */
  readonly fold: boolean;
  /** The id of the result that is open. */
  readonly open: string;
}

export type Defaults = Pick<SearchState, 'most' | 'weight'>;

export function stateOf(values: URLSearchParams, { most, weight }: Defaults): SearchState {
  const colors = values.getAll('colors');
  const [id, picture] = [values.get('id') ?? '', values.get('picture') ?? ''];
  const implied: Way = id ? 'id' : colors.length > 0 ? 'colours' : 'picture';
  const given = values.get('by');
  const number = (name: string, otherwise: number): number => Number(values.get(name) ?? otherwise) || otherwise;
  return {
    way: given === 'id' || given === 'keywords' || given === 'colours' || given === 'picture' ? given : implied,
    picture,
    id,
    colors: parsedColors(colors),
    keywords: values.getAll('keywords'),
    where: values.getAll('where'),
    most: number('most', most),
    weight: values.has('weight') ? Number(values.get('weight')) : weight,
    here: values.has('here'),
    ignored: values.has('ignored'),
    fold: values.has('fold'),
    open: values.get('open') ?? '',
  };
}

/** Defaults are left out. */
export function addressOf(state: SearchState, { most, weight }: Defaults): string {
  const { way, picture, id, colors, keywords, where, here, ignored, fold, open } = state;
  const implied = way === 'picture' || (way === 'id' && id !== '') || (way === 'colours' && colors.length > 0);
  return linkTo('search', {
    by: !implied && way,
    picture: (way === 'picture' && picture) || undefined,
    id: (way === 'id' && id) || undefined,
    colors: way === 'colours' && colorsOf(colors),
    keywords,
    where,
    most: state.most !== most && state.most,
    weight: state.weight !== weight && state.weight,
    here: here && 1,
    ignored: ignored && 1,
    fold: fold && 1,
    open: open || undefined,
  });
}
