import type { Fetcher } from '../fetch/fetcher.ts';

/** Milliseconds for which the rules of a site hold. */
const LIFETIME = 3_600_000;
const LARGEST_RULES = 500_000;
/** Sites whose rules are remembered. */
const MAX_SITES = 1000;

interface Rule {
  readonly pattern: string;
  readonly allows: boolean;
}

/** What robots.txt of sites (RFC 9309) lets this service fetch. */
export class Robots {
  readonly #fetcher: Pick<Fetcher, 'content'>;
  readonly #sites = new Map<string, { readonly until: number; readonly rules: Promise<readonly Rule[]> }>();

  constructor(fetcher: Pick<Fetcher, 'content'>) {
    this.#fetcher = fetcher;
  }

  /** Fails where the rules cannot be fetched; a site that has none allows everything. */
  async allows(address: string, now = performance.now()): Promise<boolean> {
    const { origin, pathname, search } = new URL(address);
    let site = this.#sites.get(origin);
    if (!site || site.until < now) {
      site = { until: now + LIFETIME, rules: this.#rules(origin) };
      site.rules.catch(() => this.#sites.delete(origin));
      this.#sites.set(origin, site);
      if (this.#sites.size > MAX_SITES) this.#sites.delete(this.#sites.keys().next().value!);
    }
    return isAllowed(pathname + search, await site.rules);
  }

  async #rules(origin: string): Promise<readonly Rule[]> {
    const wanted = { maxBytes: LARGEST_RULES, mayBeMissing: true };
    const { content } = await this.#fetcher.content(`${origin}/robots.txt`, wanted);
    return rulesIn(content.toString('utf8'));
  }
}

/** The rules of the groups that name this service, or else of those for all. */
export function rulesIn(text: string): readonly Rule[] {
  const groups: { agents: string[]; rules: Rule[] }[] = [];
  let isOpen = false; // further agents belong to the same group
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field, value] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const name = field?.toLowerCase();
    if (name === 'user-agent') {
      if (!isOpen) groups.push({ agents: [], rules: [] });
      groups.at(-1)!.agents.push(value!.trim().toLowerCase());
      isOpen = true;
    } else if (name === 'allow' || name === 'disallow') {
      isOpen = false;
      const pattern = value!.trim();
      if (pattern !== '') groups.at(-1)?.rules.push({ pattern, allows: name === 'allow' });
    }
  }
  const named = groups.filter(({ agents }) => agents.includes('sosia'));
  const chosen = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'));
  return chosen.flatMap(({ rules }) => rules);
}

/** The longest rule counts; of two the one that allows. */
export function isAllowed(path: string, rules: readonly Rule[]): boolean {
  let best: Rule | undefined;
  for (const rule of rules) {
    if (!matches(path, rule.pattern)) continue;
    const [length, most] = [rule.pattern.length, best?.pattern.length ?? -1];
    if (length > most || (length === most && rule.allows)) best = rule;
  }
  return best?.allows ?? true;
}

/** `*` is any text, and a last `$` the end. Each part is found once, so that no pattern takes long. */
function matches(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first, ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first!)) return false;
  let at = first!.length;
  const last = isWhole ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}
