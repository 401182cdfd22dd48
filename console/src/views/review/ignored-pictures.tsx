import { ask, requestFor } from '../../api/call.ts';
import type { NamedFile } from '../../intake/dropped-files.ts';
import { useChanging } from '../../parts/answer.ts';
import { CurlLine } from '../../parts/curl-line.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { SavedPictures } from '../../parts/saved-pictures.tsx';
import { SentThumbnail } from '../../parts/thumbnail.tsx';
import { useScopes } from '../../session.ts';

/** The ignore list: logos, banners and watermarks that are no match. */
export function IgnoredPictures() {
  const edits = useScopes().includes('administer');
  const request = requestFor('review', 'ListIgnored', { thumbnails: 1, nb_results: 200 });
  const { value, error, act } = useChanging(request);
  const add = async (files: readonly NamedFile[]): Promise<void> => {
    for (const { name, file } of files) {
      await ask(requestFor('review', 'AddIgnored', { image_id: name, image_content: file }));
    }
  };
  return (
    <>
      <p class="lead">
        A logo, a banner or a watermark is on many pictures. Add it here, and pictures that have only it in common are
        no match, in searches and in reviews.
      </p>
      {edits && (
        <DropZone label="Choose pictures to ignore" many onFiles={(files) => void act(() => add(files))}>
          <p>
            <Icon name="upload" />
            Drop the logo alone, cut out of the picture.
          </p>
        </DropZone>
      )}
      <Failed error={error} />
      {value?.ignored.length === 0 && <Empty title="Nothing is ignored" />}
      <SavedPictures
        label="Ignored pictures"
        pictures={value?.ignored ?? []}
        thumbnail={({ thumbnail }) => <SentThumbnail jpeg={thumbnail} />}
        removal={edits ? (id) => `Ignore ${id} no longer` : undefined}
        onRemove={(image_id) => void act(() => ask(requestFor('review', 'DeleteIgnored', { image_id })))}
      />
      <CurlLine request={request} />
    </>
  );
}
