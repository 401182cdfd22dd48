import type { Application } from '../../api/answers.ts';
import { Form } from '../../parts/form.tsx';
import { Select, NameField, useFields } from '../../parts/fields.tsx';
import { change } from './reading.ts';
import { typeChoices } from './types.ts';

export function NewApplication({ onMade }: { onMade: (made: { application: Application; secret: string }) => void }) {
  const { values, set, field } = useFields({ name: '', type: typeChoices[0]!.type });
  const { name, type } = values;
  const submit = async (): Promise<void> => {
    const made = await change('CreateApplication', { name: name.trim(), type });
    set({ name: '' });
    onMade(made);
  };
  return (
    <Form title="New application" action="Create" onSubmit={submit}>
      <div class="form-line">
        <NameField {...field('name')} />
        <Select label="Type" options={typeChoices.map((each) => [each.type, each.title])} {...field('type')} />
      </div>
      <p class="soft">{typeChoices.find((each) => each.type === type)!.about}</p>
    </Form>
  );
}
