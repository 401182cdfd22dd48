/** What is left of a Markdown page when code, tables, headings, pictures and comments are taken out: one string a block. */
export function proseBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence = '';
  const end = () => {
    if (block.length > 0) blocks.push(block.join(' '));
    block = [];
  };
  for (const line of markdown.replace(/<!--[^]*?-->/g, '').split('\n')) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? '';
    if (fence || mark) {
      end();
      fence = fence ? (mark.startsWith(fence) ? '' : fence) : mark;
      continue;
    }
    const text = line.replace(/^\s*>\s?/, '');
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(text);
    const indentedCode = block.length === 0 && /^(?: {4}|\t)/.test(text) && !item;
    if (/^\s*$|^\s*#|^\s*\||^\s*<\/?\w|^\s*(?:-{3,}|\*{3,})\s*$|^\[[^\]]+\]:\s/.test(text) || indentedCode) end();
    else if (item) {
      end();
      block.push(item[1]!);
    } else block.push(text.trim());
  }
  end();
  return blocks.map(plain).filter((text) => /\p{L}/u.test(text));
}

/** Inline code and addresses count as one word, a link as its text. */
function plain(markdown: string): string {
  return markdown
    .replace(/(`+)[^]*?\1/g, 'Code')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, (_, text: string) => (/^\S+\.\w+$/.test(text) ? 'Page' : text))
    .replace(/<?https?:\/\/[^\s>)]*[^\s>).,;:]>?/g, 'Address')
    .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '')
    .trim();
}

const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|Fig|No|St|Dr|al|\p{Lu})\.$/u;

/** The sentences of a block. A point ends one where space and no lower-case letter follow, and no abbreviation stands before. */
export function sentencesOf(block: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const found of block.matchAll(/[.!?…]+["'”’)\]]*(?=\s+["'“‘([]*[\p{Lu}\p{N}]|\s*$)/gu)) {
    const end = found.index + found[0].length;
    if (abbreviation.test(block.slice(start, end)) && end < block.length) continue;
    sentences.push(block.slice(start, end).trim());
    start = end;
  }
  sentences.push(block.slice(start).trim());
  return sentences.filter((text) => wordsOf(text) > 0);
}

export function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
