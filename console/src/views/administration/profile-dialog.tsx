import { Dialog } from '../../parts/dialog.tsx';
import { count } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { jpegUrl } from '../../parts/thumbnail.tsx';
import { useReading } from './reading.ts';

/** How well a trained profile does on pictures that it has not seen, and its worst mistakes. */
export function ProfileDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { value, error } = useReading('GetProfile', { profile: name });
  const report = value?.report;
  return (
    <Dialog title={name} onClose={onClose}>
      <Failed error={error} />
      {report && (
        <>
          <p>
            {count(report.positives, 'picture')} that fit and {count(report.negatives, 'picture')} that do not, each
            scored by a model that has not seen it: {(100 * report.balanced_accuracy).toFixed(1)} % balanced accuracy,{' '}
            {count(report.nb_mistakes, 'mistake')}.
          </p>
          <Table
            label="Thresholds"
            rows={report.by_threshold}
            columns={[
              ['Score above', ({ threshold }) => threshold.toFixed(2)],
              ['of these, fit', ({ precision }) => `${(100 * precision).toFixed(0)} %`],
              ['of those that fit, found', ({ recall }) => `${(100 * recall).toFixed(0)} %`],
            ]}
          />
        </>
      )}
      {value?.mistakes && (
        <figure class="mistakes">
          <img src={jpegUrl(value.mistakes)} alt="The worst mistakes" />
          <figcaption class="soft">The worst mistakes: orange fit and were missed, blue do not fit.</figcaption>
        </figure>
      )}
    </Dialog>
  );
}
