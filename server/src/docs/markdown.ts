import { Marked, Renderer } from 'marked';

export interface Heading {
  readonly level: number;
  /** HTML. */
  readonly text: string;
  readonly anchor: string;
}

/** Where a target leads; undefined if it is not served. */
export interface Targets {
  link(target: string): string | undefined;
  picture(target: string): string | undefined;
}

/** Makes HTML of the Markdown of the project's own pages. HTML in the Markdown is shown as text. */
export function htmlOf(markdown: string, targets: Targets): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      image({ text, href: target }) {
        const address = targets.picture(target);
        return address === undefined ? escaped(text) : `<img src="${escaped(address)}" alt="${escaped(text)}">`;
      },
      code: ({ text }) => `<pre><code>${escaped(text)}</code></pre>\n`,
      heading({ tokens, text, depth: level }) {
        const anchor = anchorOf(text);
        headings.push({ level, text: escaped(text.replaceAll('`', '')), anchor });
        const link = `<a class="here" href="#${anchor}" aria-label="Link to this place">#</a>`;
        return `<h${level} id="${anchor}">${this.parser.parseInline(tokens)} ${link}</h${level}>\n`;
      },
      link({ tokens, href: target }) {
        const address = targets.link(target);
        const words = this.parser.parseInline(tokens);
        return address === undefined ? words : `<a href="${escaped(address)}">${words}</a>`;
      },
      table(token) {
        return `<div class="table" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}

/** As on code hosts, so that the same links work there. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character]!);
}
