import { ask, requestFor, type Request } from '../../api/call.ts';
import { useIntake } from '../../intake/intake.tsx';
import { keepPicture, useKeptPicture } from '../../intake/kept-pictures.ts';
import { useAnswer } from '../../parts/answer.ts';
import { CurlLine } from '../../parts/curl-line.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { PictureField } from '../../parts/picture-field.tsx';
import { Split } from '../../parts/split.tsx';
import { go, linkTo, type Route } from '../../route.ts';

/** A picture with the score of each profile of the application. */
export function ClassifyView({ route: { values } }: { route: Route }) {
  const picture = values.get('picture') ?? '';
  const file = useKeptPicture(picture) ?? undefined;
  const take = (taken: File): void => go(linkTo('filter', { picture: keepPicture(taken) }));
  useIntake({ hint: 'Drop the picture to classify it', take: ([first]) => take(first!.file) });
  const request: Request<'enginequery', 'Filter'> | undefined =
    file && requestFor('enginequery', 'Filter', { query_image: file });
  const key = file && picture;
  const { value, error, busy } = useAnswer(key, (signal) => ask(request!, signal));
  return (
    <Split
      label="Classify"
      form={
        <>
          <PictureField
            value={file}
            what="The picture"
            hint="Drop or paste a picture, or its address."
            onChange={take}
          />
          <CurlLine request={request} />
        </>
      }
      outcome="Scores"
      busy={busy}
    >
      <Failed error={error} />
      {value && request ? (
        <Bars scores={value.scores} />
      ) : (
        !error && (
          <Empty title={busy ? 'Scoring …' : 'Which profiles fit?'}>
            {!busy && 'Give a picture: each profile of the application scores it, above zero where it fits.'}
          </Empty>
        )
      )}
    </Split>
  );
}

/** To the right of the middle for a profile that fits, to the left otherwise. */
function Bars({ scores }: { scores: Record<string, number> }) {
  const rows = Object.entries(scores).sort(([, a], [, b]) => b - a);
  const most = Math.max(1.5, ...rows.map(([, score]) => Math.abs(score)));
  return (
    <ul class="bars" role="list">
      {rows.map(([name, score]) => (
        <li key={name}>
          <span>{name}</span>
          <span class="bar-line" aria-hidden="true">
            <span
              class={score > 0 ? 'fits' : 'fits-not'}
              style={{
                width: `${(Math.abs(score) / most) * 50}%`,
                left: score > 0 ? '50%' : `${50 - (Math.abs(score) / most) * 50}%`,
              }}
            />
          </span>
          <span>{score.toFixed(3)}</span>
          <span class="soft">{score > 0 ? 'fits' : 'does not fit'}</span>
        </li>
      ))}
    </ul>
  );
}
