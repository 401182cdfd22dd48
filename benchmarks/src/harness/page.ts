import { sectionOf } from './markdown.ts';
import type { Result } from './result.ts';

const intro = `# Benchmarks

\`npm run docs\` makes this page from \`benchmarks/results\`, which also has the tables. \`npm run benchmark -- NAME\` measures again.
[Experiments](experiments/README.md) note what was tried, and why thresholds are what they are. The pictures are in \`../shared/corpora\`, which is not part of the repository.`;

const parts = {
  accuracy: '# Accuracy\n\nThese figures are the same on every machine and under every load.',
  speed: '# Speed\n\nThe machines were shared with other work, so medians and best runs are safer than single times.',
};

/** docs/benchmarks.md */
export function benchmarksPage(results: readonly Result[]): string {
  const sections = Object.entries(parts).flatMap(([kind, heading]) => [
    heading,
    ...results.filter((result) => result.kind === kind).map(sectionOf),
  ]);
  return [intro, ...sections].join('\n\n') + '\n';
}
