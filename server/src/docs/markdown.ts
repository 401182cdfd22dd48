/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

export interface Heading {
  readonly level: number;
  /** HTML. */
  readonly text: string;
  readonly anchor: string;
}

/**
 * Turns the Markdown of the project's own pages into HTML: headings, paragraphs, lists of one level, tables, code,
 * links, bold and inline code. Any other text is shown unchanged and never becomes markup.
 * @param href  maps the target of a link; undefined if the target is not served
 */
export function htmlOf(
  markdown: string,
  href: (target: string) => string | undefined,
): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const parts = markdown.split(/^```\w*\n([^]*?)\n```$/m); // fenced text has the odd indexes
  const html = parts.flatMap((part, i) => (i % 2 ? code(part) : part.split(/\n{2,}/).map(blockOf))).join('\n');
  return { html, headings };

  function code(text: string): string {
    return `<pre><code>${escaped(text)}</code></pre>`;
  }

  function blockOf(text: string): string {
    const block = text.replace(/^\n+|\n+$/g, '');
    if (block === '') return '';
    if (/^ {4}/.test(block)) return code(block.replace(/^ {4}/gm, ''));
    const [, marks, title] = /^(#{1,6}) (.*)$/.exec(block) ?? [];
    if (marks && title) return headingOf(marks.length, title);
    if (block.startsWith('| ')) return tableOf(block.split('\n'));
    if (block.startsWith('- ')) {
      const items = block.split(/\n(?=- )/).map((item) => `<li>${inline(item.slice(2))}</li>`);
      return `<ul>${items.join('\n')}</ul>`;
    }
    return `<p>${inline(block)}</p>`;
  }

  function headingOf(level: number, title: string): string {
    const anchor = anchorOf(title);
    headings.push({ level, text: escaped(title.replaceAll('`', '')), anchor });
    return `<h${level} id="${anchor}">${inline(title)} <a class="here" href="#${anchor}" aria-label="Link to this place">#</a></h${level}>`;
  }

  function tableOf([head, _, ...rows]: string[]): string {
    const cells = (row: string): string[] =>
      row
        .slice(2, -2)
        .split(/ (?<!\\)\| /)
        .map((cell) => cell.replaceAll('\\|', '|'));
    const line = (row: string, tag: string): string =>
      `<tr>${cells(row)
        .map((cell) => `<${tag}>${inline(cell)}</${tag}>`)
        .join('')}</tr>`;
    return `<div class="table" tabindex="0"><table><thead>${line(head!, 'th')}</thead>\n<tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table></div>`;
  }

  function inline(text: string): string {
    // code first, so that its content is not interpreted
    return text
      .split(/(`[^`]+`)/)
      .map((part, i) => (i % 2 ? `<code>${escaped(part.slice(1, -1))}</code>` : plain(part)))
      .join('');
  }

  function plain(text: string): string {
    return escaped(text)
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, target: string) => {
        const address = href(target);
        return address === undefined ? words : `<a href="${address}">${words}</a>`;
      });
  }
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
