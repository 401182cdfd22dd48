/** A command of a page for people to run, as printed; a line may be continued with a backslash. */
export interface PrintedCommand {
  readonly line: string;
  /** In the text of a sentence, not in a block. */
  readonly inline: boolean;
}

/** Inline code that begins with one of these words is a command. */
const inlineCommand = /^(?:sosia|npm|npx|curl|chmod|git)\s/;

/** Takes the commands out of a page: the lines of its blocks for a shell, and inline code that is a command, in their order. */
export function commandsIn(markdown: string): PrintedCommand[] {
  const found: PrintedCommand[] = [];
  for (const [, language, block, code] of markdown.matchAll(/^```(\w*)\n([^]*?)^```|`([^`\n]+)`/gm)) {
    if (language === 'sh' || language === 'console') {
      const lines = block!.split(/(?<!\\)\n/).map((line) => line.trim());
      found.push(
        ...lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => ({ line, inline: false })),
      );
    } else if (code !== undefined && inlineCommand.test(code)) found.push({ line: code, inline: true });
  }
  return found;
}

/** Names of folders on a machine; other inline paths are addresses of the service. */
const folders = /^\/(?:data|etc|home|mnt|opt|proc|tmp|usr|var)\b/;

/** Addresses in inline code: `/ready` is on both ports, unless the page says which. */
export function addressesIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[^]*?^```/gm, '');
  const found = Array.from(prose.matchAll(/`((?:http:\/\/127\.0\.0\.1:\d+)?\/[^`\s]*)`/g), ([, address]) => address!);
  return [...new Set(found.filter((address) => !folders.test(address) && !/[A-Z…*]{2}/.test(address)))];
}

/** The expressions in the last column of the tables whose head says so. */
export function expressionsIn(markdown: string): string[] {
  return markdown
    .split(/^\| condition \| expression \|\n.*\n/m)
    .slice(1)
    .flatMap((table) => {
      const rows = /^(?:\|.*\n)*/.exec(table)![0].trim().split('\n');
      return rows.map((row) => /`([^`]+)` \|$/.exec(row)![1]!);
    });
}
