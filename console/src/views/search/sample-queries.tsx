import { addressOf, fileOf, sampleQueries } from '../../samples.ts';

/** Edited samples, each a search. */
export function SampleQueries({ onFile }: { onFile: (file: File) => void }) {
  return (
    <div class="sample-queries">
      <p class="label">Or try a sample</p>
      <ul>
        {sampleQueries.map((sample) => (
          <li key={sample.name}>
            <button type="button" class="sample" onClick={() => void fileOf(sample).then(onFile)}>
              <img src={addressOf(sample)} alt="" loading="lazy" />
              <span>{sample.edit}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
