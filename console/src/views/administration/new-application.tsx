import { useState } from 'preact/hooks';
import type { Application } from '../../api/answers.ts';
import { Failed } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { NameField } from '../../parts/text-field.tsx';
import { useChange } from './reading.ts';
import { typeChoices } from './types.ts';

export function NewApplication({ onMade }: { onMade: (made: { application: Application; secret: string }) => void }) {
  const [name, setName] = useState('');
  const [type, setType] = useState(typeChoices[0]!.type);
  const { busy, error, change } = useChange();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const made = await change('CreateApplication', { name: name.trim(), type });
    if (!made) return;
    setName('');
    onMade(made);
  };
  return (
    <form class="surface new-application" aria-label="New application" onSubmit={(event) => void submit(event)}>
      <h2>New application</h2>
      <div class="form-line">
        <NameField value={name} onInput={setName} />
        <Select
          label="Type"
          value={type}
          options={typeChoices.map((each) => [each.type, each.title])}
          onChange={setType}
        />
        <button type="submit" class="main" disabled={busy}>
          Create
        </button>
      </div>
      <p class="soft">{typeChoices.find((each) => each.type === type)!.about}</p>
      <Failed error={error} />
    </form>
  );
}
