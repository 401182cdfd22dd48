import { useState } from 'preact/hooks';
import type { SourcePreview } from '@sosia/contract';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { count } from '../../parts/figures.ts';
import { Form } from '../../parts/form.tsx';
import { KeywordsField } from '../../parts/keywords-field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { NameField, TextField } from '../../parts/text-field.tsx';
import { change } from './reading.ts';

/** A folder to follow, tried before it is created. */
export function NewSource({ application, onMade }: { application: string; onMade: () => void }) {
  const [name, setName] = useState('');
  const [path, setPath] = useState('');
  const [prefix, setPrefix] = useState('');
  const [keywords, setKeywords] = useState<string[]>([]);
  const [preview, setPreview] = useState<SourcePreview>();
  const { busy, error, run } = useAction();
  const given = { application, name: name.trim(), kind: 'folder', path: path.trim(), prefix, keywords };
  const submit = async (): Promise<void> => {
    await change('CreateSource', given);
    setName('');
    setPath('');
    setPreview(undefined);
    onMade();
  };
  const dryRun = (): Promise<unknown> =>
    run(async () => setPreview((await change('CreateSource', { ...given, dry_run: 1 })).preview ?? undefined));
  return (
    <Form
      title="New source"
      action="Follow"
      onSubmit={submit}
      state={<Button text="Dry run" disabled={busy || !given.name || !given.path} onClick={() => void dryRun()} />}
    >
      <p class="soft">
        The pictures of a folder of the service come to the application, change and leave it. The setting{' '}
        <code>source_folders</code> of the service names the folders that it may follow.
      </p>
      <div class="form-line">
        <NameField value={name} onInput={setName} />
        <TextField label="Folder" value={path} required maxLength={4096} onInput={setPath} />
        <TextField label="Before each id" value={prefix} maxLength={100} onInput={setPrefix} />
        <KeywordsField label="Keywords" keywords={keywords} onChange={setKeywords} empty="none" />
      </div>
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
