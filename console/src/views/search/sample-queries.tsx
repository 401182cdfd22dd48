import { requestFor } from '../../api/call.ts';
import { useRequest } from '../../parts/answer.ts';
import { addressOf, fileOf, idOf, sampleQueries } from '../../samples.ts';
import { useApplication } from '../../session.ts';

/** Edited samples, each a search; of an application with references, those whose reference it has. */
export function SampleQueries({ onFile }: { onFile: (file: File) => void }) {
  const { traits } = useApplication();
  const ids_list = sampleQueries.map(({ of }) => idOf(of)).join(';');
  const { value } = useRequest(traits.references ? requestFor('enginequery', 'ListImages', { ids_list }) : undefined);
  const present = new Set(value?.images.map(({ id }) => id));
  const offered = traits.references ? sampleQueries.filter(({ of }) => present.has(idOf(of))) : sampleQueries;
  if (offered.length === 0) return null;
  return (
    <div class="sample-queries">
      <p class="label">Or try a sample</p>
      <ul>
        {offered.map((sample) => (
          <li key={sample.name}>
            <button type="button" class="card sample" onClick={() => void fileOf(sample).then(onFile)}>
              <img class="picture" src={addressOf(sample)} alt="" loading="lazy" />
              <span>{sample.edit}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
