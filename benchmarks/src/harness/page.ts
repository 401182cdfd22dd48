import { sectionOf } from './markdown.ts';
import type { Result } from './result.ts';

const intro = `# Benchmarks

\`npm run docs\` makes this page from \`benchmarks/results\`, which also has the tables. \`npm run benchmark -- NAME\` measures again.
[Experiments](experiments/README.md) note what was tried, and why thresholds are what they are. Each section names its benchmark, day and commit; targets are in parentheses. The pictures are in \`../shared/corpora\`, which is not part of the repository.`;

const parts = {
  accuracy: '# Accuracy\n\nThese figures are the same on every machine and under every load.',
  speed: '# Speed\n\nThe machines were shared with other work, so medians and best runs are safer than single times.',
};

/** docs/benchmarks.md */
export function benchmarksPage(results: readonly Result[]): string {
  const sections = Object.entries(parts).flatMap(([kind, heading]) => [
    heading,
    ...results.filter((result) => result.kind === kind).map((result) => sectionOf(withHeadlines(result))),
  ]);
  return [intro, ...sections].join('\n\n') + '\n';
}

/** The figures that have a target; all of them where none has one. */
export function withHeadlines(result: Result): Result {
  const aimed = Object.entries(result.figures).filter(([name]) => result.targets?.[name]);
  return aimed.length > 0 ? { ...result, figures: Object.fromEntries(aimed) } : result;
}
