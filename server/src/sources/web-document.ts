import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isPictureName } from './picture-names.ts';

/** A picture that a document lists. */
export interface ListedPicture {
  readonly address: string;
  /** What the document says of its last change; undefined where it says nothing. */
  readonly changed: string | undefined;
}

/** What a list of addresses, a sitemap or a feed lists. */
export interface WebDocument {
  readonly pictures: readonly ListedPicture[];
  /** The sitemaps that an index of sitemaps lists. */
  readonly sitemaps: readonly string[];
  /** Whether it lists the latest pictures alone, as feeds do. */
  readonly isFeed: boolean;
}

/** Bytes of a document after decompression. */
export const LARGEST_DOCUMENT = 20_000_000;

const unpack = promisify(gunzip);

/** @param base  of relative addresses. Fails where the content is compressed wrongly or too large. */
export async function readDocument(content: Buffer, base: string): Promise<WebDocument> {
  const isCompressed = content[0] === 0x1f && content[1] === 0x8b;
  const bytes = isCompressed ? await unpack(content, { maxOutputLength: LARGEST_DOCUMENT }) : content;
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return /^\s*</.test(text) ? readXml(text, base) : readLines(text, base);
}

function readLines(text: string, base: string): WebDocument {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const addresses = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => resolved(line, base));
  return { pictures: addresses.map((address) => ({ address, changed: undefined })), sitemaps: [], isFeed: false };
}

/** The expressions look at each character a bounded number of times, whatever the document has. */
function readXml(text: string, base: string): WebDocument {
  const pictures: ListedPicture[] = [];
  const sitemaps: string[] = [];
  const plain = text.replace(/<!\[CDATA\[|\]\]>/g, '');
  for (const part of plain.split(/<\/(?:url|item|entry|sitemap)\s*>/)) {
    const dates = [...part.matchAll(/<(?:lastmod|updated|pubDate|dc:date)>([^<]{1,100})</g)];
    const changed = dates.at(-1)?.[1]!.trim();
    const isIndex = /<sitemap[\s>]/.test(part);
    for (const [, kind, value] of part.matchAll(/<(image:)?loc>([^<]*)</g)) {
      for (const address of resolved(value!, base)) {
        if (isIndex) sitemaps.push(address);
        else if (kind || isPicture(address)) pictures.push({ address, changed });
      }
    }
    for (const address of embedded(part, base)) pictures.push({ address, changed });
  }
  return { pictures, sitemaps, isFeed: /<(?:rss|feed|rdf:RDF)[\s>]/.test(plain.slice(0, 10_000)) };
}

/** The pictures of an entry of a feed: enclosures, media, and those in its text, which is HTML with or without entities. */
function embedded(part: string, base: string): string[] {
  const tags = decoded(part).matchAll(/<(enclosure|media:content|media:thumbnail|img|link)\s([^<>]*)>/g);
  return [...tags].flatMap(([, tag, attributes]) => {
    const found = new Map<string, string>();
    for (const [, name, value] of attributes!.matchAll(/\b(\w+)=["']([^"']*)["']/g)) found.set(name!, value!);
    const address = found.get('url') ?? found.get('src') ?? found.get('href') ?? '';
    if (tag === 'link' && found.get('rel') !== 'enclosure') return [];
    const type = found.get('type') ?? found.get('medium') ?? '';
    const says = tag === 'img' || tag === 'media:thumbnail' || type.startsWith('image');
    return resolved(address, base).filter((each) => says || (type === '' && isPicture(each)));
  });
}

function isPicture(address: string): boolean {
  return isPictureName(new URL(address).pathname);
}

/** Without a fragment; none where the text is no address. */
function resolved(text: string, base: string): string[] {
  const written = decoded(text.trim());
  if (written === '' || !URL.canParse(written, base)) return [];
  const address = new URL(written, base);
  address.hash = '';
  return [address.href];
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#34': '"', amp: '&' };

function decoded(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|#39|#34|amp);/g, (_, name: string) => entities[name]!);
}
