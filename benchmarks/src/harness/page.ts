import { sectionOf } from './markdown.ts';
import { ageOf, OLD_COMMITS } from './history.ts';
import type { Result } from './result.ts';

const intro = `# Benchmarks

\`npm run docs\` makes this page from \`benchmarks/results\`, which has the tables, too. \`npm run benchmark -- NAME\` measures again.
[Experiments](experiments/README.md) give reasons for thresholds. Targets are in parentheses. Lines end with size and commit. **old**: since, more than ${OLD_COMMITS} commits changed what it measures. The pictures (\`../shared/corpora\`) are not in the repository.`;

const parts = {
  accuracy: '# Accuracy\n\nThese figures are the same on every machine and under every load.',
  speed: '# Speed\n\nThe machines were shared, so medians and best runs are safer than single times.',
};

/** docs/benchmarks.md */
export function benchmarksPage(results: readonly Result[], age: typeof ageOf = ageOf): string {
  const sections = Object.entries(parts).flatMap(([kind, heading]) => [
    heading,
    ...results.filter((result) => result.kind === kind).map((result) => sectionOf(withHeadlines(result), age)),
  ]);
  return [intro, ...sections].join('\n\n') + '\n';
}

/** The figures that have a target; all of them where none has one. */
export function withHeadlines(result: Result): Result {
  const aimed = Object.entries(result.figures).filter(([name]) => result.targets?.[name]);
  return aimed.length > 0 ? { ...result, figures: Object.fromEntries(aimed) } : result;
}
