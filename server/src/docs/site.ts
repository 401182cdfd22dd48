import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { htmlOf } from './markdown.ts';
import { shell, type Group } from './shell.ts';

const prefix = '/docs';
/** The first page of docs/, which lists the others in groups. */
const START_PAGE = 'README';

/** The pages of docs/ as HTML, each made when it is first read. */
export class DocumentationSite {
  readonly #sources: ReadonlyMap<string, () => string>;
  readonly #groups: readonly Group[];
  readonly #made = new Map<string, Uint8Array>();
  /** The pictures, by address. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;

  constructor(folder: string) {
    const pages = namesIn(folder, '.md').map((file) => {
      return [file.slice(0, -'.md'.length), () => readFileSync(join(folder, file), 'utf8')] as const;
    });
    const pictures = namesIn(join(folder, 'pictures'), '.jpg').map((file) => {
      return [`${prefix}/pictures/${file}`, readFileSync(join(folder, 'pictures', file))] as const;
    });
    this.#sources = new Map(pages);
    this.pictures = new Map(pictures);
    this.#groups = this.#groupsOf(this.#sources.get(START_PAGE)?.() ?? '');
  }

  get addresses(): string[] {
    return Array.from(this.#sources.keys(), (name) => this.#addressOf(name));
  }

  /** @param address  one of `addresses` */
  page(address: string): Uint8Array {
    const known = this.#made.get(address);
    if (known) return known;
    const name = address === prefix ? START_PAGE : address.slice(prefix.length + 1);
    const { html, headings } = htmlOf(this.#sources.get(name)!(), {
      link: (target) => this.#href(target),
      picture: (target) => (this.pictures.has(`${prefix}/${target}`) ? `${prefix}/${target}` : undefined),
    });
    const title = headings.find(({ level }) => level === 1)?.text ?? name;
    const body = Buffer.from(shell(title, html, name === START_PAGE ? [] : headings, this.#groups, address));
    this.#made.set(address, body);
    return body;
  }

  #addressOf(name: string): string {
    return name === START_PAGE ? prefix : `${prefix}/${name}`;
  }

  /** Links between the pages; other files are not served. */
  #href(target: string): string | undefined {
    if (target.startsWith('#')) return target;
    const [, name, rest = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
    return name !== undefined && this.#sources.has(name) ? this.#addressOf(name) + rest : undefined;
  }

  /** The sections of the first page with the pages that they link to, for the side of every page. */
  #groupsOf(markdown: string): Group[] {
    const first: Group = { title: '', pages: [[prefix, 'Documentation']] };
    const sections = markdown.split(/^## /m).slice(1);
    const groups = sections.map((section): Group => {
      const links = [...section.matchAll(/^- \[([^\]]+)\]\(([^)#]+)\)/gm)];
      const pages = links.map(([, words, target]): [string, string] => [this.#href(target!) ?? '', words!]);
      return { title: section.split('\n')[0]!, pages: pages.filter(([address]) => address.startsWith(prefix)) };
    });
    return [first, ...groups];
  }
}

function namesIn(folder: string, ending: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .sort()
    : [];
}
