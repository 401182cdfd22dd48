import { useState } from 'preact/hooks';
import type { SourceKindName, SourcePreview } from '@sosia/contract';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/check.tsx';
import { count } from '../../parts/figures.ts';
import { Form } from '../../parts/form.tsx';
import { KeywordsField } from '../../parts/keywords-field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { NameField, TextField } from '../../parts/text-field.tsx';
import { change } from './reading.ts';
import { sourceForms, sourceTitles, WRITABLE } from './source-kinds.ts';

/** A place to follow, tried before it is created. */
export function NewSource({ application, onMade }: { application: string; onMade: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<SourceKindName>('folder');
  const [place, setPlace] = useState<Readonly<Record<string, string>>>({});
  const [prefix, setPrefix] = useState('');
  const [keywords, setKeywords] = useState<string[]>([]);
  const [writable, setWritable] = useState(false);
  const [preview, setPreview] = useState<SourcePreview>();
  const { busy, error, run } = useAction();
  const form = sourceForms[kind];
  const { about, setting, fields } = form;
  const isWhole = name.trim() !== '' && fields.every(({ parameter, optional }) => optional || place[parameter]?.trim());
  const given = () => {
    const values = fields.flatMap(({ parameter, lines }) => {
      const text = place[parameter]?.trim();
      return text ? [[parameter, lines ? text.split(/\s+/) : text] as const] : [];
    });
    const flags = writable && form.writable ? { writable: 1 } : {};
    return { application, name: name.trim(), kind, ...Object.fromEntries(values), prefix, keywords, ...flags };
  };
  const submit = async (): Promise<void> => {
    await change('CreateSource', given());
    setName('');
    setPlace({});
    setWritable(false);
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
        <NameField value={name} onInput={setName} />
        <Select label="Kind" value={kind} options={sourceTitles} onChange={setKind} />
        {fields.map(({ parameter, label, optional, ...field }) => (
          <TextField
            key={parameter}
            {...field}
            label={label}
            value={place[parameter] ?? ''}
            required={!optional}
            onInput={(text) => setPlace({ ...place, [parameter]: text })}
          />
        ))}
        <TextField label="Before each id" value={prefix} maxLength={100} onInput={setPrefix} />
        <KeywordsField label="Keywords" keywords={keywords} onChange={setKeywords} empty="none" />
      </div>
      {form.writable && <Check label={WRITABLE} checked={writable} onChange={setWritable} />}
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
