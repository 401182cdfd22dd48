import type { Compared, Region } from '../../api/answers.ts';
import { count } from '../../parts/figures.ts';
import { useNaturalSize } from '../../parts/loaded.ts';
import { Overlay } from '../../parts/overlay.tsx';
import { Table } from '../../parts/table.tsx';
import { jpegUrl } from '../../parts/thumbnail.tsx';

/** The marked reference as an overlay on the marked query, aligned. */
export function Aligned({ ref_image, query_image, homography }: Compared) {
  const [reference, query] = [jpegUrl(ref_image), jpegUrl(query_image)];
  const own = useNaturalSize(reference);
  const frame = useNaturalSize(query);
  if (!own || !frame) return null;
  return (
    <Overlay
      reference={{ source: reference, frame: own }}
      query={{ source: query, frame }}
      homography={homography}
      tallest={720}
    />
  );
}

/** The differences and the strips along the rim, which are no differences, as tables. */
export function Differences({ regions, rim_strips = [] }: Compared) {
  return (
    <>
      <Regions title="Difference" about="Differences" regions={regions} />
      {rim_strips.length > 0 && (
        <>
          <p class="soft">
            The content of one picture ends along its rim, as in a scan or a frame. These strips are no differences:
          </p>
          <Regions title="Strip" about="Strips along the rim" regions={rim_strips} />
        </>
      )}
    </>
  );
}

function Regions({ title, about, regions }: { title: string; about: string; regions: readonly Region[] }) {
  if (regions.length === 0) return null;
  const percent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`;
  return (
    <Table
      label={about}
      rows={regions}
      columns={[
        [title, (_, i) => i + 1],
        ['Strength', ({ strength }) => percent(strength)],
        [
          'In the query, from the left and the top',
          ({ query: { topLeftPoint: from } }) => `${percent(from[0])}, ${percent(from[1])}`,
        ],
        [
          'Size',
          ({ query: { topLeftPoint: from, bottomRightPoint: to } }) =>
            `${percent(to[0] - from[0])} × ${percent(to[1] - from[1])}`,
        ],
      ]}
    />
  );
}

export function differing({ regions }: Compared): string {
  return regions.length === 0 ? 'No differences' : count(regions.length, 'difference');
}
