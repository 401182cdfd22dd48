import type { Compared, Region } from '../../api/answers.ts';
import { useNaturalSize } from '../../parts/natural-size.ts';
import { Overlay } from '../../parts/overlay.tsx';

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
          <p class="legend">
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
    <div class="table-holder" tabIndex={0} role="region" aria-label={about}>
      <table>
        <thead>
          <tr>
            <th>{title}</th>
            <th>Strength</th>
            <th>In the query, from the left and the top</th>
            <th>Size</th>
          </tr>
        </thead>
        <tbody>
          {regions.map(({ query: { topLeftPoint: from, bottomRightPoint: to }, strength }, i) => (
            <tr key={i}>
              <td>{i + 1}</td>
              <td>{percent(strength)}</td>
              <td>
                {percent(from[0])}, {percent(from[1])}
              </td>
              <td>
                {percent(to[0] - from[0])} × {percent(to[1] - from[1])}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function differing({ regions }: Compared): string {
  if (regions.length === 0) return 'No differences';
  return `${regions.length} ${regions.length === 1 ? 'difference' : 'differences'}`;
}

export function jpegUrl(base64: string): string {
  return `data:image/jpeg;base64,${base64}`;
}
