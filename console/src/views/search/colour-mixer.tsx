import { ask, requestFor } from '../../api/call.ts';
import { useIntake } from '../../intake/intake.tsx';
import { useAction } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Failed } from '../../parts/notice.tsx';
import { parsedColors, type MixedColor } from '../../parts/colours.ts';
import type { Field } from '../../parts/fields.tsx';

const MOST = 8;
/** Initial values of further colours. */
const FRESH = ['c8553d', 'e9b44c', '588157', 'f2efe9', '222222', '7d5ba6', 'd88c9a'];

/** Colours with their shares, as a bar and one row each. */
export function ColourMixer({ value: colors, onChange }: Field<readonly MixedColor[]>) {
  const { error, run } = useAction();
  const change = (at: number, to: Partial<MixedColor>): void =>
    onChange(colors.map((color, i) => (i === at ? { ...color, ...to } : color)));
  const add = (): void => onChange([...colors, { rgb: FRESH[(colors.length - 1) % FRESH.length]!, share: 20 }]);
  const take = async ([first]: readonly { file: File }[]): Promise<void> => {
    const values = { image_content: first!.file };
    const found = await ask(requestFor('enginequery', 'GetImageColorsByUpload', values));
    onChange(parsedColors(found.colors.slice(0, MOST)));
  };
  useIntake({ hint: 'Drop a picture to take its colours', take: (files) => void run(() => take(files)) });
  return (
    <div class="stack mixer">
      <div class="mix" aria-hidden="true">
        {colors.map(({ rgb, share }, i) => (
          <span key={i} style={{ background: `#${rgb}`, flexGrow: Math.max(1, share) }} />
        ))}
      </div>
      <ul class="stack">
        {colors.map(({ rgb, share }, i) => (
          <li key={i}>
            <input
              type="color"
              aria-label={`Colour ${i + 1}`}
              value={`#${rgb}`}
              onInput={(event) => change(i, { rgb: event.currentTarget.value.slice(1) })}
            />
            <input
              type="range"
              min="1"
              max="100"
              aria-label={`Share of colour ${i + 1}`}
              value={share}
              onInput={(event) => change(i, { share: event.currentTarget.valueAsNumber })}
            />
            <span>{share} %</span>
            <Button
              kind="quiet"
              icon="close"
              label={`Without colour ${i + 1}`}
              disabled={colors.length === 1}
              onClick={() => onChange(colors.filter((_, at) => at !== i))}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button kind="quiet" icon="add" text="Another colour" disabled={colors.length >= MOST} onClick={add} />
      </div>
      <DropZone label="Take the colours of a picture" onFiles={(files) => void run(() => take(files))} />
      <Failed error={error} />
    </div>
  );
}
