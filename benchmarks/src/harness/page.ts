import { sectionOf } from './markdown.ts';
import { ageOf, MARKED_COMMITS } from './history.ts';
import type { Result } from './result.ts';

const intro = `# Benchmarks

\`npm run benchmark -- NAME\` measures again. [Reasons](experiments/README.md). Lines: target, size, commit; **old**: over ${MARKED_COMMITS} commits changed it.`;

const parts = {
  accuracy: '# Accuracy\n\nThe same on every machine.',
  speed: '# Speed\n\nTwo cores. "others": processor time of other work.',
};

/** docs/benchmarks.md */
export function benchmarksPage(results: readonly Result[], age: typeof ageOf = ageOf): string {
  const sections = Object.entries(parts).flatMap(([kind, heading]) => [
    heading,
    ...results.filter((result) => result.kind === kind).map((result) => sectionOf(withHeadlines(result), age)),
  ]);
  return [intro, ...sections].join('\n\n') + '\n';
}

/** The figures that have a target, with the 95 % of medians and the first passes; all figures where none has a target. */
export function withHeadlines(result: Result): Result {
  const isAimed = (name: string) => Boolean(result.targets?.[name]);
  const names = Object.keys(result.figures);
  if (!names.some(isAimed)) return result;
  const shown = names.filter(
    (name) => isAimed(name) || /first pass|^first searches/.test(name) || isAimed(name.replace('95 %', 'median')),
  );
  return { ...result, figures: Object.fromEntries(shown.map((name) => [name, result.figures[name]!])) };
}
