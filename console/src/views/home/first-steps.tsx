import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { go, linkTo } from '../../route.ts';
import { addressOf, fileOf, idOf, sampleCopies, sampleReferences } from '../../samples.ts';
import { handOver } from '../add/queue.ts';

/** An application without pictures: add some, or try it with the samples. */
export function FirstSteps() {
  const [busy, setBusy] = useState(false);
  const addSamples = async (): Promise<void> => {
    setBusy(true);
    const samples = [...sampleReferences, ...sampleCopies];
    handOver(await Promise.all(samples.map(async (each) => ({ name: idOf(each.name), file: await fileOf(each) }))));
    go(linkTo('add'));
  };
  return (
    <div class="halves first-steps">
      <section class="surface" aria-labelledby="first-add">
        <h2 id="first-add">Add pictures</h2>
        <p class="soft">Drop a folder here. The pictures become searchable one by one.</p>
        <DropZone
          label="Choose files"
          many
          onFiles={(files) => {
            handOver(files);
            go(linkTo('add'));
          }}
        >
          <p>
            <Icon name="upload" />
            Drop pictures or folders anywhere on this page.
          </p>
        </DropZone>
      </section>
      <section class="surface" aria-labelledby="first-samples">
        <h2 id="first-samples">Try it with samples</h2>
        <p class="soft">Twelve photographs and two smaller copies, to search in and to review.</p>
        <ul class="sample-wall" aria-hidden="true">
          {sampleReferences.map((sample) => (
            <li key={sample.name}>
              <img class="picture" src={addressOf(sample)} alt="" />
            </li>
          ))}
        </ul>
        <Button kind="main" text="Add the samples" disabled={busy} onClick={() => void addSamples()} />
      </section>
    </div>
  );
}
