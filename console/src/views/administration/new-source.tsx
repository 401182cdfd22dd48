import { useState } from 'preact/hooks';
import type { SourceKindName, SourcePreview } from '@sosia/contract';
import { useAction } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Check, Select, NameField, TextField, useFields, KeywordsField } from '../../parts/fields.tsx';
import { count } from '../../parts/figures.ts';
import { Form } from '../../parts/form.tsx';
import { Failed } from '../../parts/notice.tsx';
import { change } from './reading.ts';
import { sourceForms, sourceTitles, WRITABLE } from './source-kinds.ts';

const blank = {
  name: '',
  kind: 'folder' as SourceKindName,
  prefix: '',
  keywords: [] as readonly string[],
  writable: false,
};

/** A place to follow, tried before it is created. */
export function NewSource({ application, onMade }: { application: string; onMade: () => void }) {
  const { values, set, field } = useFields(blank);
  const { name, kind, prefix, keywords, writable } = values;
  const [place, setPlace] = useState<Readonly<Record<string, string>>>({});
  const [preview, setPreview] = useState<SourcePreview>();
  const { busy, error, run } = useAction();
  const form = sourceForms[kind];
  const { about, setting, fields } = form;
  const isWhole = name.trim() !== '' && fields.every(({ parameter, optional }) => optional || place[parameter]?.trim());
  const given = () => {
    const places = fields.flatMap(({ parameter, lines }) => {
      const text = place[parameter]?.trim();
      return text ? [[parameter, lines ? text.split(/\s+/) : text] as const] : [];
    });
    const flags = writable && form.writable ? { writable: 1 } : {};
    return { application, name: name.trim(), kind, ...Object.fromEntries(places), prefix, keywords, ...flags };
  };
  const submit = async (): Promise<void> => {
    await change('CreateSource', given());
    set({ name: '', writable: false });
    setPlace({});
    setPreview(undefined);
    onMade();
  };
  const dryRun = (): Promise<unknown> =>
    run(async () => setPreview((await change('CreateSource', { ...given(), dry_run: 1 })).preview ?? undefined));
  return (
    <Form
      title="New source"
      action="Follow"
      onSubmit={submit}
      state={<Button text="Dry run" disabled={busy || !isWhole} onClick={() => void dryRun()} />}
    >
      <p class="soft">
        {about} The service follows what its setting <code>{setting}</code> allows.
      </p>
      <div class="form-line">
        <NameField {...field('name')} />
        <Select label="Kind" options={sourceTitles} {...field('kind')} />
        {fields.map(({ parameter, label, optional, ...form }) => (
          <TextField
            key={parameter}
            {...form}
            label={label}
            value={place[parameter] ?? ''}
            required={!optional}
            onChange={(text) => setPlace({ ...place, [parameter]: text })}
          />
        ))}
        <TextField label="Before each id" maxLength={100} {...field('prefix')} />
        <KeywordsField label="Keywords" empty="none" {...field('keywords')} />
      </div>
      {form.writable && <Check label={WRITABLE} {...field('writable')} />}
      <Failed error={error} />
      {preview && <p role="status">{textOf(preview)}</p>}
    </Form>
  );
}

/** What a pass would do. */
export function textOf({ listed, added, changed, removed, fault }: SourcePreview): string {
  const changes = [`${added} to add`, changed > 0 && `${changed} to read again`, removed > 0 && `${removed} to remove`];
  return `${count(listed, 'picture')}: ${changes.filter(Boolean).join(', ')}.${fault && ` ${fault}`}`;
}
