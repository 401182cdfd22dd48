import { ask, requestFor, type Request } from '../../api/call.ts';
import { useAction, useRequest } from '../../parts/answer.ts';
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
  const { error: failed, run } = useAction();
  const request = requestFor('review', 'ListIgnored', { thumbnails: 1, nb_results: 200 });
  const { value, error, again } = useRequest(request);
  const change = async (
    operation: 'AddIgnored' | 'DeleteIgnored',
    all: readonly Request['values'][],
  ): Promise<void> => {
    await run(async () => {
      for (const values of all) await ask(requestFor('review', operation, values));
    });
    again();
  };
  return (
    <>
      <p class="lead">
        A logo, a banner or a watermark is on many pictures. Add it here, and pictures that have only it in common are
        no match, in searches and in reviews.
      </p>
      {edits && (
        <DropZone
          label="Choose pictures to ignore"
          many
          onFiles={(files) =>
            void change(
              'AddIgnored',
              files.map(({ name, file }) => ({ image_id: name, image_content: file })),
            )
          }
        >
          <p>
            <Icon name="upload" />
            Drop the logo alone, cut out of the picture.
          </p>
        </DropZone>
      )}
      <Failed error={failed ?? error} />
      {value?.ignored.length === 0 && <Empty title="Nothing is ignored" />}
      <SavedPictures
        label="Ignored pictures"
        pictures={value?.ignored ?? []}
        thumbnail={({ thumbnail }) => <SentThumbnail jpeg={thumbnail} />}
        removal={edits ? (id) => `Ignore ${id} no longer` : undefined}
        onRemove={(id) => void change('DeleteIgnored', [{ image_id: id }])}
      />
      <CurlLine request={request} />
    </>
  );
}
