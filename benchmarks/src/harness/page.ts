import { sectionOf } from './markdown.ts';
import type { Result } from './result.ts';

const intro = `# Benchmarks

How accurate and how fast Sosia is. \`npm run docs\` makes this page from \`benchmarks/results\`, where each result also has the tables
behind these figures. \`npm run benchmark -- NAME\` measures one of them again. The notes in [experiments](experiments) tell what was
tried, and why thresholds are what they are.

The pictures are in \`../shared/corpora\`, which is not part of the repository.`;

const parts = {
  accuracy: '# Accuracy\n\nThese figures are the same on every machine.',
  speed: '# Speed\n\nThe machines were shared with other work: medians and ratios say more than single times.',
};

/** docs/benchmarks.md */
export function benchmarksPage(results: readonly Result[]): string {
  const sections = Object.entries(parts).flatMap(([kind, heading]) => [
    heading,
    ...results.filter((result) => result.kind === kind).map(sectionOf),
  ]);
  return [intro, ...sections].join('\n\n') + '\n';
}
