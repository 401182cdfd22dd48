import type { ProfileRecord } from '@sosia/server';
import { printLine } from '../../terminal/output.ts';
import { networkInWords } from './import.ts';
import { aligned } from '../../terminal/table.ts';

/** Mistakes that are listed on a terminal. */
const NAMED = 8;

/** The quality of a profile, for people. */
export function printReport({ profile, report }: ProfileRecord): void {
  if ('model' in profile) return printLine(networkInWords(profile).trimEnd());
  if (!report) return printLine(`${profile.name}: imported, without a report`);
  const { positives, negatives, balancedAccuracy, area, byThreshold, mistakes, worst = [] } = report;
  printLine(
    `${profile.name}: ${positives} pictures that fit, ${negatives} that do not; each scored by a model that has not seen it\n` +
      `balanced accuracy ${balancedAccuracy.toFixed(3)}, area under the curve ${area.toFixed(3)}, ${mistakes.length} mistakes\n` +
      aligned([
        ['threshold', 'precision', 'recall'],
        ...byThreshold.map((row) => [row.threshold, row.precision, row.recall].map((value) => value.toFixed(2))),
      ]).trimEnd(),
  );
  if (worst.length === 0) return;
  const rows = mistakes.slice(0, Math.min(NAMED, worst.length)).map(({ score }, i) => {
    return [score.toFixed(2), score > 0 ? 'taken for one that fits' : 'fits, and missed', worst[i]!];
  });
  printLine(
    `the worst mistakes; \`sosia profile show ${profile.name} --mistakes FILE\` writes a sheet of ${worst.length}, orange around what was missed, blue around the others\n` +
      aligned(rows).trimEnd(),
  );
}
