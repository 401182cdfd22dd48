import type { Box, BoxMatch, ReviewedEvent } from '@sosia/client';

type Side = NonNullable<ReviewedEvent['pictures']>['watched'];

/** A kind of report. */
export interface Report {
  /** @param counts  the number of events of each saved search and decision */
  begin(title: string, counts: ReadonlyMap<string, number>): string;
  event(event: ReviewedEvent): string;
  readonly end: string;
}

/** What a report says of an event. Facts that an event lacks are empty. */
function factsOf(event: ReviewedEvent) {
  const { relation = '', verdict } = event;
  const match = event.result_info ? (JSON.parse(event.result_info) as Partial<BoxMatch>) : {};
  const chance = match.false_match_probability;
  return {
    event: String(event.id),
    time: event.at,
    'saved search': event.search_id,
    'watched picture': watchedIn(event),
    'watched picture lay at': placeOf(event.watched_origin),
    'watched part': partOf(match.reference?.matchingBox),
    'found picture': event.image_id,
    'found picture lay at': placeOf(event.origin),
    'found part': partOf(match.query?.matchingBox),
    decision: event.decision,
    relation,
    'similarity in %': String(event.similarity),
    'false match probability': chance === undefined ? '' : String(chance),
    'same pixels added': String(event.count),
    verdict: verdict?.verdict ?? '',
  };
}

function watchedIn({ watched, watched_in: of, hash }: ReviewedEvent): string {
  if (hash?.label !== undefined) return `${hash.label}, ${watched}`;
  return of ? `${of.application}: ${of.image_id}` : watched;
}

function placeOf(origin: ReviewedEvent['origin']): string {
  const { source, path, bucket, key, address, time } = origin ?? {};
  const place = address ?? path ?? (bucket !== undefined && `${bucket}/${key}`);
  return [source, time === undefined ? place : `${place} at ${time} s`].filter(Boolean).join(': ');
}

/** `left top right bottom`, in per cent of width and height. */
function partOf(box: Box | undefined): string {
  const corners = box ? [...box.topLeftPoint, ...box.bottomRightPoint] : [];
  return corners.map((each) => Math.round(each * 1000) / 10).join(' ');
}

const columns = Object.keys(factsOf({ id: 0, similarity: 0, count: 0 } as ReviewedEvent));

/** A program for tables takes a text that begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => `"${field.replace(FORMULA, "'$&").replaceAll('"', '""')}"`).join(',')}\r\n`;
}

const csv: Report = {
  begin: () => `\ufeff${csvLine(columns)}`,
  event: (event) => csvLine(Object.values(factsOf(event))),
  end: '',
};

const style = `
  body { font: 14px/1.4 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
  table { border-collapse: collapse; margin-bottom: 2rem } td { padding: 0 1.5rem 0 0 } td:last-child { text-align: right }
  article { display: grid; grid-template-columns: 1fr 1fr 2fr; gap: 1rem; padding: 1rem 0; border-top: 1px solid #999; break-inside: avoid }
  figure { margin: 0 } figcaption { font-size: 12px; overflow-wrap: anywhere } figure div { position: relative; width: fit-content }
  img { display: block; max-width: 100%; max-height: 12rem } i { position: absolute; box-sizing: border-box; border: 2px solid #d00; outline: 1px solid #fff }
  dl { display: grid; grid-template-columns: 9rem 1fr; gap: 0 1rem; margin: 0; align-content: start }
  dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere }
  @page { margin: 15mm } @media print { body { max-width: none; margin: 0; padding: 0; font-size: 8pt } h1 { font-size: 14pt } i { print-color-adjust: exact } }`;

/** A time in UTC, in the spelling of people. */
function readable(text: string): string {
  return text.replace(/T(\d\d:\d\d)[\d:.]*Z/, ' $1 UTC');
}

const letters: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => letters[letter]!);
}

function figure(name: string, picture: Side | undefined, part: string): string {
  const [left, top, right, bottom] = part.split(' ').map(Number) as [number, number, number, number];
  const frame = part && `<i style="left:${left}%;top:${top}%;width:${right - left}%;height:${bottom - top}%"></i>`;
  const image = picture?.thumbnail;
  const shown = image ? `<div><img alt="" src="data:image/jpeg;base64,${escaped(image)}">${frame}</div>` : '';
  return `<figure>${shown}<figcaption>${escaped(name)}</figcaption></figure>`;
}

const html: Report = {
  begin(title, counts) {
    const heading = escaped(readable(title));
    const rows = [...counts].sort().map(([what, count]) => `<tr><td>${escaped(what)}<td>${count}`);
    const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
    return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${heading}</title><style>${style}</style><h1>${heading}</h1><table>${rows.join('')}</table>\n`;
  },
  event(event) {
    const facts = { ...factsOf(event), time: readable(event.at) };
    const rows = Object.entries(facts).filter(([, value]) => value !== '');
    const list = rows.map(([name, value]) => `<dt>${name}<dd>${escaped(value)}`).join('');
    const watched = figure(facts['watched picture'], event.pictures?.watched, facts['watched part']);
    const found = figure(event.image_id, event.pictures?.found, facts['found part']);
    return `<article>${watched}${found}<dl>${list}</dl></article>\n`;
  },
  end: '</html>\n',
};

/** By the ending of the file. */
export const reports: Readonly<Record<string, Report>> = { '.csv': csv, '.html': html };
