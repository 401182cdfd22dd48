import { useState } from 'preact/hooks';
import type { Application } from '../../api/answers.ts';
import { Form } from '../../parts/form.tsx';
import { Select } from '../../parts/select.tsx';
import { NameField } from '../../parts/text-field.tsx';
import { change } from './reading.ts';
import { typeChoices } from './types.ts';

export function NewApplication({ onMade }: { onMade: (made: { application: Application; secret: string }) => void }) {
  const [name, setName] = useState('');
  const [type, setType] = useState(typeChoices[0]!.type);
  const submit = async (): Promise<void> => {
    const made = await change('CreateApplication', { name: name.trim(), type });
    setName('');
    onMade(made);
  };
  return (
    <Form title="New application" action="Create" onSubmit={submit}>
      <div class="form-line">
        <NameField value={name} onInput={setName} />
        <Select
          label="Type"
          value={type}
          options={typeChoices.map((each) => [each.type, each.title])}
          onChange={setType}
        />
      </div>
      <p class="soft">{typeChoices.find((each) => each.type === type)!.about}</p>
    </Form>
  );
}
